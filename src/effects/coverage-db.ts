import { Coverage } from '#machines/contracts/calls/lab-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { merged } from '#machines/testing/coverage.ts'

/** Its database, the one store in it and the one record in that; the end-to-end tests read it too. */
export const COVERAGE_DB = { name: 'frostline-lab', store: 'taken', key: 'here' } as const

/** What was done in this browser, kept for all its windows. */
export type CoverageDb = {
  /** what was kept; nothing where there is none, or what is there is no coverage */
  read(): Promise<Coverage>
  /** adds to what is kept, whatever other windows add at the same time */
  add(part: Coverage): Promise<void>
  clear(): Promise<void>
  /** it is another now, by this window or by others; answers how to stop */
  onChange(listener: () => void): () => void
}

/**
 * In IndexedDB, since local storage is the session's: a logout clears it.
 * @param windows tells the other windows; each needs one of its own
 */
export function openCoverageDb(factory: IDBFactory, windows: BroadcastChannel): CoverageDb {
  const opened = open(factory)
  const listeners = new Set<() => void>()
  const notifyPage = (): void => {
    for (const listener of listeners) listener()
  }
  windows.addEventListener('message', notifyPage)
  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> =>
    (await opened).transaction(COVERAGE_DB.store, mode).objectStore(COVERAGE_DB.store)

  /** reading and writing in one transaction: those of other windows wait for it */
  async function change(next: (kept: Coverage) => Coverage): Promise<void> {
    const inside = await store('readwrite')
    await new Promise<void>((done, failed) => {
      const reading: IDBRequest<unknown> = inside.get(COVERAGE_DB.key)
      reading.onsuccess = () => void inside.put(next(coverageOf(reading.result)), COVERAGE_DB.key)
      inside.transaction.oncomplete = () => done()
      inside.transaction.onabort = () => failed(inside.transaction.error)
    })
    windows.postMessage('changed')
    notifyPage()
  }

  return {
    read: async () => coverageOf(await answered((await store('readonly')).get(COVERAGE_DB.key))),
    add: (part) => change((kept) => merged(kept, part)),
    clear: () => change(() => ({})),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function open(factory: IDBFactory): Promise<IDBDatabase> {
  const request = factory.open(COVERAGE_DB.name, 1)
  request.onupgradeneeded = () => void request.result.createObjectStore(COVERAGE_DB.store)
  return answered(request)
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })
}

/** What another version of the portal left is not worth a failure: counting begins anew. */
function coverageOf(stored: unknown): Coverage {
  try {
    return decode(stored ?? {}, Coverage, 'coverage')
  } catch {
    return {}
  }
}
