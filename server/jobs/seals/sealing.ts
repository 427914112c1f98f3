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

/** How far sealing got. */
type SealingState = SealingOptions & {
  isStopped: boolean
  /** whether a head is to be signed at the next look, before its minute is over */
  isDue: boolean
  /** when a head was last looked for, and when what compaction did was last said; real ms */
  signedAt: number
  saidAt: number
  /** whether the tree is known to be the one that was signed before this start */
  isContinued: boolean
  /** why nothing is signed now, as operators were warned */
  warned: string | undefined
  /** what is done now, or was done last */
  turn: Promise<unknown>
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Lets the tree over the record grow behind those who append, says by facts what compaction did, and signs a head each minute and
 * after each report. Runs on the node that leads; a head is stored while it leads, or not at all.
 */
export function startSealing(options: SealingOptions): Sealing {
  const state: SealingState = {
    ...options,
    isStopped: false,
    isDue: true,
    signedAt: Number.NEGATIVE_INFINITY,
    saidAt: Number.NEGATIVE_INFINITY,
    isContinued: false,
    warned: undefined,
    turn: Promise.resolve(),
    timer: undefined,
  }
  const unfollow = state.readModels.onAdvance(({ facts }) => {
    if (!facts.some(({ type }) => type === 'report.completed')) return
    state.isDue = true
    lookIn(state, 0)
  })
  lookIn(state, 0)

  return {
    signNow: () => inTurn(state, sign),
    settled: () => inTurn(state, sayAll),
    stuckBecause: () => state.warned,
    async stop() {
      state.isStopped = true
      unfollow()
      clearTimeout(state.timer)
      await state.turn
    },
  }
}

/** One thing at a time. */
function inTurn<T>(state: SealingState, work: (state: SealingState) => Promise<T>): Promise<T> {
  const done = state.turn.then(() => work(state))
  state.turn = done.catch(() => {})
  return done
}

/** Looks after so many real ms, and then again and again. */
function lookIn(state: SealingState, delay: number): void {
  clearTimeout(state.timer)
  if (state.isStopped) return
  state.timer = setTimeout(() => {
    void inTurn(state, look)
      .then(() => {
        state.warned = undefined
      })
      .catch((error: unknown) => lookFailed(state, error))
      .finally(() => lookIn(state, LOOK_MS))
  }, delay).unref()
}

function lookFailed(state: SealingState, error: unknown): void {
  state.isDue = true
  // a store that cannot write now is heard of elsewhere, and each thing is said once
  if (error instanceof StoreUnavailable) return
  const isPlain = [CannotSign, TreeChanged, TreeUnreadable].some((known) => error instanceof known)
  const why = isPlain ? (error as Error).message : String(error)
  if (why !== state.warned) state.warn(`the record is not signed: ${why}`)
  state.warned = why
}

async function look(state: SealingState): Promise<void> {
  await grow(state)
  if (performance.now() - state.saidAt >= SAY_MS) {
    await sayAll(state)
    state.saidAt = performance.now()
  }
  if (!state.isDue && performance.now() - state.signedAt < HEAD_MS) return
  state.isDue = false
  await sign(state)
  state.signedAt = performance.now()
}

/** Takes what was appended since into the tree. */
async function grow(state: SealingState): Promise<void> {
  while (!state.isStopped && (await state.store.seals.extend()));
}

async function sign(state: SealingState): Promise<SealHead | undefined> {
  const { log, seals } = state.store
  const signer = await signerOf({ ...state, log })
  await grow(state)
  const { size } = await seals.size()
  const [last] = await seals.heads()
  if (last && !state.isContinued) await refuseOther(seals, last)
  state.isContinued = true
  const term = state.term()
  if (state.isStopped || term === undefined || size === 0 || size <= (last?.size ?? 0)) return undefined
  const root = hexOf(await rootOfRange(seals.tile, { from: 0, to: size }))
  const at = Math.max(state.clock.now(), last?.at ?? 0)
  const head = signer.sign({ size, root, at })
  // first stored while this node leads, then given out: a head that nobody else may have signed otherwise
  if (!(await seals.keepHead(head, term))) return undefined
  await state.onHead?.(head)
  return head
}

/** A group that is written to meanwhile is said once, and again the next time: it would be hashed for each few devices of it. */
async function sayAll(state: SealingState): Promise<void> {
  const groups = new Set<string>()
  while (!state.isStopped) {
    const compacted = await sayCompacted(state.store, state.clock)
    if (compacted === undefined) return
    const names = compacted.groups.map(nameOfGroup)
    if (names.some((name) => groups.has(name))) return
    for (const name of names) groups.add(name)
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
