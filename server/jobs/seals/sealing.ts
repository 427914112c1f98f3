import type { Clock } from '#machines/contracts/clock.ts'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { hexOf } from '#machines/rules/merkle-tree.ts'
import type { SealKeyPlace } from '../../auth/seal-key.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Compacted } from '../../store/seals/seal-store.ts'
import { rootOfRange, TreeUnreadable } from '../../store/seals/tiles.ts'
import { type Store, StoreUnavailable } from '../../store/store.ts'
import { CannotSign, signerOf } from './keys.ts'
import { nameOfGroup } from './statements.ts'

export type Sealing = {
  /** signs what there is now; undefined: there is nothing new, or this node leads no more */
  signNow(): Promise<SealHead | undefined>
  /** says what compaction did until now. Rejects with StoreUnavailable */
  settled(): Promise<void>
  /** why nothing is signed now; undefined: it is */
  stuckBecause(): string | undefined
  stop(): Promise<void>
}

export type SealingOptions = {
  store: Pick<Store, 'log' | 'seals'>
  readModels: Pick<ReadModels, 'onAdvance'>
  place: SealKeyPlace
  clock: Clock
  /** in which this node leads; undefined: it does not any more */
  term(): number | undefined
  /** for operators */
  warn(message: string): void
  /** called with each head that is kept; where it rejects, it is called with the next one again */
  onHead?: (head: SealHead) => void | Promise<void>
}

/** Real ms between two looks at the record, each of which writes the tile that is not full yet, and two heads of a record that grows. */
const LOOK_MS = 5_000
const HEAD_MS = 60_000
/** Between two times that it is said what compaction did: it comes by its groups of chunks some devices at a time. */
const SAY_MS = 10_000

/** What the tree stands on is not what was signed: nothing more is signed on top of it. */
export class TreeChanged extends Error {}

/**
 * Lets the tree over the record grow behind those who append, says by facts what compaction did, and signs a head each minute and
 * after each report. Runs on the node that leads; a head is stored while it leads, or not at all.
 */
export function startSealing(options: SealingOptions): Sealing {
  const { store, readModels, warn } = options
  const { seals } = store
  let isStopped = false
  let isDue = true
  let signedAt = Number.NEGATIVE_INFINITY
  let warnedAt = Number.NEGATIVE_INFINITY
  let isContinued = false
  let warned: string | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function sign(): Promise<SealHead | undefined> {
    const signer = await signerOf({ ...options, log: store.log })
    while (!isStopped && (await seals.extend()));
    const { size } = await seals.size()
    const [last] = await seals.heads()
    if (last && !isContinued) await refuseOther(seals, last)
    isContinued = true
    const term = options.term()
    if (isStopped || term === undefined || size === 0 || size <= (last?.size ?? 0)) return undefined
    const root = hexOf(await rootOfRange(seals.tile, { from: 0, to: size }))
    const at = Math.max(options.clock.now(), last?.at ?? 0)
    const head = signer.sign({ size, root, at })
    // first stored while this node leads, then given out: a head that nobody else may have signed otherwise
    if (!(await seals.keepHead(head, term))) return undefined
    await options.onHead?.(head)
    return head
  }

  /** A group that is written to meanwhile is said once, and again the next time: it would be hashed for each few devices of it. */
  async function sayAll(): Promise<void> {
    const groups = new Set<string>()
    while (!isStopped) {
      const compacted = await sayCompacted(store, options.clock)
      if (compacted === undefined) return
      const names = compacted.groups.map(nameOfGroup)
      if (names.some((name) => groups.has(name))) return
      for (const name of names) groups.add(name)
    }
  }

  async function look(): Promise<void> {
    while (!isStopped && (await seals.extend()));
    if (performance.now() - warnedAt >= SAY_MS) {
      await sayAll()
      warnedAt = performance.now()
    }
    if (!isDue && performance.now() - signedAt < HEAD_MS) return
    isDue = false
    await sign()
    signedAt = performance.now()
  }

  /** One thing at a time. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  function next(delay: number): void {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => {
      void inTurn(look)
        .then(() => {
          warned = undefined
        })
        .catch((error: unknown) => {
          isDue = true
          const isPlain = [CannotSign, TreeChanged, TreeUnreadable].some((known) => error instanceof known)
          const why = isPlain ? (error as Error).message : String(error)
          // a store that cannot write now is heard of elsewhere, and each thing is said once
          if (!(error instanceof StoreUnavailable) && why !== warned) warn(`the record is not signed: ${why}`)
          if (!(error instanceof StoreUnavailable)) warned = why
        })
        .finally(() => next(LOOK_MS))
    }, delay).unref()
  }

  const unfollow = readModels.onAdvance(({ facts }) => {
    if (!facts.some(({ type }) => type === 'report.completed')) return
    isDue = true
    next(0)
  })
  next(0)

  return {
    signNow: () => inTurn(sign),
    settled: () => inTurn(sayAll),
    stuckBecause: () => warned,
    async stop() {
      isStopped = true
      unfollow()
      clearTimeout(timer)
      await turn
    },
  }
}

/** Whoever changed tiles while nothing ran must not get them signed. @throws TreeChanged, TreeUnreadable, StoreUnavailable */
async function refuseOther(seals: Store['seals'], { size, root }: SealHead): Promise<void> {
  if (hexOf(await rootOfRange(seals.tile, { from: 0, to: size })) !== root)
    throw new TreeChanged(
      `the tree over the record is not the one that was signed at ${size} entries: npm run admin verify-log names what was changed`,
    )
}

/** A fact of what compaction did: what it says, undefined where there was nothing. Said twice is no harm: the same counts. */
async function sayCompacted(
  { log, seals }: Pick<Store, 'log' | 'seals'>,
  clock: Clock,
): Promise<Compacted | undefined> {
  const compacted = await seals.compacted()
  if (compacted === undefined) return undefined
  const fact: NewFact = { type: 'chunks.written', at: clock.now(), companyId: null, data: compacted }
  await log.append('seal', [fact])
  await seals.noteStated(compacted)
  return compacted
}
