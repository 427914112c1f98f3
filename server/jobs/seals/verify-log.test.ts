import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings } from '#machines/contracts/readings.ts'
import { type SealKeyPlace, sealKeyPlace } from '../../auth/seal-key.ts'
import { sumOfBatch, sumOfChunk, sumOfFact } from '../../store/checksums.ts'
import type { FactRow } from '../../store/fact-rows.ts'
import { keyOfChunk } from '../../store/sqlite/chunk-table.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { salvage } from '../../store/sqlite/salvage.ts'
import { openSealedFolder } from '../../store/sqlite/sealed-record.ts'
import type { Store } from '../../store/store.ts'
import { createProofs } from './proofs.ts'
import { startSealing } from './sealing.ts'
import { type GivenHead, type LogFinding, verifyLog } from './verify-log.ts'

const HOUR = 3_600_000
const RECORDS = join(import.meta.dirname, '../../../fixtures/records')
const START = 400 * 24 * HOUR

let dir: string
let place: SealKeyPlace
let now: number
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'frostline-seals-'))
  place = sealKeyPlace({ sealKeyFile: undefined, dataDir: dir }, undefined)
  now = START
})
afterEach(() => rm(dir, { recursive: true }))

const clock = { now: () => now }

/** Does something on the store in the folder, and has it sealed before it is closed. */
async function used(work: (store: Store) => Promise<void>, warnings: string[] = []): Promise<SealHead> {
  const store = openSqliteStore({ dir, clock })
  try {
    await store.seals.holdBatches()
    await work(store)
    const warn = (message: string) => warnings.push(message)
    const readModels = { onAdvance: () => () => {} }
    const sealing = startSealing({ store, readModels, place, clock, term: () => 1, warn })
    try {
      // once for what compaction did, which is a fact itself
      await sealing.settled()
      const head = (await sealing.signNow()) ?? (await store.seals.heads())[0]
      return head as SealHead
    } finally {
      await sealing.stop()
    }
  } finally {
    await store.close()
  }
}

const violation = (n: number): NewFact => ({
  type: 'user.reset-required',
  at: now + n,
  companyId: 'c',
  data: { userId: `u${n}` },
})

function warm(devices: number) {
  const columns = createReadings(devices)
  columns.length = devices
  for (let i = 0; i < devices; i++) {
    columns.device[i] = i
    columns.at[i] = now
    columns.temperature[i] = 820
  }
  return columns
}

/** Facts and batches in turn, the first of them compacted, the last not yet. */
const record = () =>
  used(async ({ log, telemetry }) => {
    const step = async (count: number) => {
      for (let i = 0; i < count; i++) {
        await log.append(`user-u${i}`, [violation(i)])
        await telemetry.append(warm(4), now)
        now += 60_000
      }
    }
    await step(150)
    now += 3 * HOUR
    while (await telemetry.maintain(now));
    await step(10)
  })

async function verified(...given: GivenHead[]): Promise<LogFinding[]> {
  const folder = openSealedFolder(dir)
  try {
    const found: LogFinding[] = []
    let last = { done: 0, of: -1 }
    for await (const step of verifyLog(folder, given)) {
      found.push(...step.found)
      last = step
    }
    expect(last.done).toBe(last.of)
    return found
  } finally {
    folder.close()
  }
}

/** What a shell of SQLite does. */
function shell<T>(work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

describe('a record', () => {
  test('that nobody changed fits its heads, with compacted batches and those that wait', async () => {
    const first = await record()
    expect(await verified(first)).toEqual([])
    // its batches may go now that it is said that they were some
    const second = await used(async ({ telemetry }) => {
      now += HOUR
      while (await telemetry.maintain(now));
    })
    expect(second.size).toBeGreaterThanOrEqual(first.size)
    expect(shell((db) => db.prepare('SELECT count(*) AS n FROM batches').get())).toEqual({ n: 10 })
    expect(await verified(first, second)).toEqual([])
  })

  test('in which values are set to 4.0 and a violation is deleted, checksums and all, is found out', async () => {
    await record()
    const gone = shell((db) => {
      const chunk = db.prepare('SELECT id, bytes FROM chunks LIMIT 1').get() as {
        id: number
        bytes: Uint8Array
      }
      const bytes = Uint8Array.from(chunk.bytes)
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1
      db.prepare('UPDATE chunks SET bytes = ?, sum = ? WHERE id = ?').run(bytes, sumOfChunk(bytes), chunk.id)
      const { device } = keyOfChunk(chunk.id)
      const batch = db.prepare('SELECT seq, bytes FROM batches ORDER BY seq DESC LIMIT 1').get() as {
        seq: number
        bytes: Uint8Array
      }
      const edited = Uint8Array.from(batch.bytes)
      edited[edited.length - 1] = (edited[edited.length - 1] as number) ^ 1
      db.prepare('UPDATE batches SET bytes = ?, sum = ? WHERE seq = ?').run(
        edited,
        sumOfBatch(edited),
        batch.seq,
      )
      // one of before compaction, where rows of batches may be missing as well
      const { seq } = db
        .prepare("SELECT seq FROM facts WHERE type LIKE 'user.%' ORDER BY seq LIMIT 1")
        .get() as {
        seq: number
      }
      db.prepare('DELETE FROM facts WHERE seq = ?').run(seq)
      const fact = db
        .prepare("SELECT * FROM facts WHERE type LIKE 'user.%' ORDER BY seq LIMIT 1")
        .get() as FactRow
      const other = { ...fact, at: fact.at + 1 }
      db.prepare('UPDATE facts SET at = ?, sum = ? WHERE seq = ?').run(other.at, sumOfFact(other), fact.seq)
      return { fact: seq, edited: fact.seq, batch: batch.seq, device }
    })
    expect(await verified()).toEqual([
      { part: 'entry', key: String(gone.fact), reason: expect.stringContaining('it is gone') },
      { part: 'entry', key: String(gone.edited), reason: expect.stringContaining('user.reset-required') },
      { part: 'entry', key: String(gone.batch), reason: expect.stringContaining('the batch of readings') },
      {
        part: 'chunks',
        key: expect.stringContaining('devices from 0'),
        reason: `the chunk of device ${gone.device} is not the one that was written`,
      },
    ])
  })

  test('of which one chunk is gone names its device, and of several how many', async () => {
    await record()
    const remove = (device: number) =>
      shell((db) => {
        const ids = (db.prepare('SELECT id FROM chunks').all() as { id: number }[]).map(({ id }) => id)
        const [id] = ids.filter((each) => keyOfChunk(each).device === device)
        db.prepare('DELETE FROM chunks WHERE id = ?').run(id as number)
      })
    remove(2)
    expect((await verified()).map(({ reason }) => reason)).toEqual([
      '3 are there, and 4 were written: that of device 2 is missing',
    ])
    remove(1)
    expect((await verified()).map(({ reason }) => reason)).toEqual(['2 are there, and 4 were written'])
  })

  test('whose end is cut off, tree and heads with it, is found out by a head kept elsewhere', async () => {
    const first = await record()
    const last = await used(async ({ log }) => {
      await log.append('user-late', [violation(999)])
    })
    shell((db) => {
      db.prepare('DELETE FROM facts WHERE seq > ?').run(first.size)
      db.prepare('DELETE FROM seal_heads WHERE size > ?').run(first.size)
      db.prepare('UPDATE seal_tree SET size = ?').run(first.size)
    })
    expect(await verified()).toEqual([])
    expect(await verified(last)).toEqual([
      {
        part: 'head',
        key: String(last.size),
        reason: expect.stringContaining('the end of the record is gone'),
      },
    ])
  })

  test('whose leaves were changed with its rows does not lead to its heads, and is signed no more', async () => {
    const first = await record()
    shell((db) => {
      // of the last tile, above which nothing stands yet
      const fact = db.prepare('SELECT * FROM facts WHERE seq > 256 ORDER BY seq LIMIT 1').get() as FactRow
      const sum = sumOfFact({ ...fact, at: 1 })
      db.prepare('UPDATE facts SET at = 1, sum = ? WHERE seq = ?').run(sum, fact.seq)
      const { bytes } = db.prepare('SELECT bytes FROM seal_tiles WHERE id = 1').get() as { bytes: Uint8Array }
      const tile = Uint8Array.from(bytes)
      tile.set(sum, (fact.seq - 257) * 32)
      db.prepare('UPDATE seal_tiles SET bytes = ? WHERE id = 1').run(tile)
    })
    expect(await verified()).toEqual([
      {
        part: 'head',
        key: String(first.size),
        reason: expect.stringContaining('the tree does not lead to it'),
      },
    ])
    await expect(used(async ({ log }) => void (await log.append('user-x', [violation(1)])))).rejects.toThrow(
      `is not the one that was signed at ${first.size} entries`,
    )
  })

  test('of an earlier release begins with its first head, over all that is there', async () => {
    for (const release of readdirSync(RECORDS)) {
      const packed = readFileSync(join(RECORDS, release, 'frostline.sqlite.gz'))
      writeFileSync(join(dir, 'frostline.sqlite'), gunzipSync(packed))
      now = 4_000_000_000_000
      const first = await used(async () => {})
      expect(await verified(first), release).toEqual([])
      const { past } = shell((db) => db.prepare('SELECT past FROM seal_tree').get()) as { past: number }
      expect(past).toBeGreaterThan(100)
      expect(first.size).toBeGreaterThan(past)
      shell((db) => db.prepare('DELETE FROM facts WHERE seq = 3').run())
      expect(await verified(), release).toEqual([
        { part: 'entry', key: '3', reason: expect.stringContaining('it is gone') },
      ])
      await rm(dir, { recursive: true })
      await mkdir(dir)
    }
  })

  test('of which any one byte is another, anywhere, is found out where it is', async () => {
    await record()
    const parts = ['facts', 'batches', 'chunks', 'seal_tiles', 'seal_heads'] as const
    const rows = shell((db) =>
      parts.flatMap((table) =>
        (db.prepare(`SELECT rowid AS id FROM ${table}`).all() as { id: number }[]).map(({ id }) => ({
          table,
          id,
        })),
      ),
    )
    const columns = {
      facts: ['data', 'stream', 'type', 'company'],
      batches: ['bytes'],
      chunks: ['bytes'],
      seal_tiles: ['bytes'],
      seal_heads: ['root', 'signature', 'key_id'],
    }
    const named = {
      facts: 'entry',
      batches: 'entry',
      chunks: 'chunks',
      seal_tiles: 'tree',
      seal_heads: 'head',
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...parts),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        async (table, row, at, isDeft) => {
          // a chunk's checksum is changed with it
          const mendsSum = table === 'chunks' && isDeft
          const of = rows.filter((each) => each.table === table)
          const { id } = of[row % of.length] as { id: number }
          const column = columns[table][at % columns[table].length] as string
          const before = shell((db) => {
            const { value } = db
              .prepare(`SELECT ${column} AS value FROM ${table} WHERE rowid = ?`)
              .get(id) as {
              value: string | Uint8Array | null
            }
            if (value === null || value.length === 0) return undefined
            const other = withOther(value, at)
            db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(other, id)
            if (mendsSum)
              db.prepare('UPDATE chunks SET sum = ? WHERE id = ?').run(sumOfChunk(other as Uint8Array), id)
            return value
          })
          if (before === undefined) return
          const found = await verified()
          shell((db) => {
            db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(before, id)
            if (mendsSum)
              db.prepare('UPDATE chunks SET sum = ? WHERE id = ?').run(sumOfChunk(before as Uint8Array), id)
          })
          if (table === 'chunks')
            expect(found[0]?.reason).toContain(`the chunk of device ${keyOfChunk(id).device} is not`)
          const parts = found.map(({ part }) => part)
          if (table === 'seal_tiles')
            expect(parts.some((part) => part === 'tree' || part === 'entry')).toBe(true)
          else expect(parts).toContain(named[table])
          if (table === 'facts' || table === 'batches')
            expect(found.filter(({ part }) => part === 'entry').map(({ key }) => key)).toEqual([String(id)])
        },
      ),
      { numRuns: 40 },
    )
    expect(await verified()).toEqual([])
  })
})

describe('a file of which pages cannot be read', () => {
  const anew = ({ size }: SealHead, of: string) => ({
    part: 'tree',
    key: `from ${size + 1}`,
    reason: expect.stringContaining(`the ${size} entries before ${of}`),
  })

  test('says which part of the tree it is and what helps, takes on what comes, and goes on from there once it is salvaged', async () => {
    const first = await record()
    overwritePage('seal_tree')
    const words =
      /^how far the tree over the record is cannot be read \(table seal_tree: .*malformed\): restore-days/
    expect(await verified(first)).toEqual([
      { part: 'tree', key: 'all', reason: expect.stringMatching(words) },
    ])
    const come = used(async ({ log }) => void (await log.append('user-x', [violation(1)])))
    await expect(come).rejects.toThrow(words)
    salvage(dir, now)
    expect(await verified(first)).toEqual([])
    // what is compacted now is said as it was before
    const second = await used(async ({ telemetry }) => {
      now += 3 * HOUR
      while (await telemetry.maintain(now));
    })
    expect(second.size).toBeGreaterThan(first.size + 1)
    expect(await verified(first, second)).toEqual([])
  })

  test('begins its tree anew where leaves are lost, and says from which entry', async () => {
    const first = await record()
    overwritePage('seal_tiles')
    const tiles = [0, 1].map((tile) => ({
      part: 'tree',
      key: `0/${tile}`,
      reason: expect.stringMatching(/it cannot be read .*malformed.*restore-days/),
    }))
    expect(await verified()).toEqual([
      {
        part: 'head',
        key: String(first.size),
        reason: expect.stringContaining('parts of the tree are missing'),
      },
      ...tiles,
    ])
    salvage(dir, now)
    expect(await verified()).toEqual([anew(first, 'are in it as they were found')])
    const second = await used(async (store) => {
      expect(await createProofs({ store, reports: new Map() }).begunAnewAfter()).toBe(first.size)
      await store.log.append('user-x', [violation(1)])
    })
    expect(second.size).toBeGreaterThan(first.size)
    expect(await verified(first, second)).toEqual([
      anew(first, 'are in it as they were found'),
      {
        part: 'head',
        key: String(first.size),
        reason: expect.stringContaining(`begun anew after entry ${first.size}`),
      },
    ])
  })
})

/** Writes over the first page of a table. */
function overwritePage(table: string): void {
  const { page, bytes } = shell((db) => {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table) as {
      rootpage: number
    }
    return { page: rootpage, bytes: Number(db.prepare('PRAGMA page_size').get()?.page_size) }
  })
  const fd = openSync(join(dir, 'frostline.sqlite'), 'r+')
  writeSync(fd, Buffer.alloc(bytes, 0xa5), 0, bytes, (page - 1) * bytes)
  closeSync(fd)
}

/** One byte, or letter, of it is another. */
function withOther(value: string | Uint8Array, at: number): string | Uint8Array {
  const i = at % value.length
  if (typeof value === 'string')
    return `${value.slice(0, i)}${value[i] === '1' ? '2' : '1'}${value.slice(i + 1)}`
  return Uint8Array.from(value, (byte, n) => (n === i ? byte ^ (1 << (at & 7)) : byte))
}
