import { type LogFinding, type SealedRecord, type VerifyStep, verifyLog } from './verify-log.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 1_000
/** Ms of work each second: one percent of a core. A step that took longer is made up for by the next looks. */
const MS_A_LOOK = 10

/** `found`: what did not fit in the last walk and in this one; `checkedAt`: when the last one ended, epoch ms, 0: none since the start */
export type WalkStats = { found: number; checkedAt: number }

export type SealWalk = {
  stats(): WalkStats
  /** walks on for a moment; to be called each second */
  goOn(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  record: SealedRecord
  /** called with each part that does not fit, once in a walk */
  onFinding(finding: LogFinding): void
  clock?: { wall: () => number; uptime: () => number }
  /** real ms between two looks; 0: nothing is done by itself */
  lookMs?: number
}

type State = {
  readonly record: SealedRecord
  readonly onFinding: Options['onFinding']
  readonly clock: NonNullable<Options['clock']>
  readonly lookMs: number
  /** the walk that is under way */
  walking: AsyncGenerator<VerifyStep> | undefined
  /** by `clock.uptime` */
  begunAt: number
  /** parts that did not fit in the last walk, and in this one */
  foundBefore: number
  found: number
  checkedAt: number
  /** ms of work that may be done now */
  allowed: number
  isStopped: boolean
  /** the look that is under way, or the last one */
  looking: Promise<void>
  timer: ReturnType<typeof setTimeout> | undefined
}

/** Holds the whole record against its heads once a day, a hundredth of the time, on the node that leads. */
export function startSealWalk({
  record,
  onFinding,
  clock = { wall: Date.now, uptime: () => performance.now() },
  lookMs = LOOK_MS,
}: Options): SealWalk {
  const state: State = {
    ...{ record, onFinding, clock, lookMs },
    walking: undefined,
    begunAt: Number.NEGATIVE_INFINITY,
    foundBefore: 0,
    found: 0,
    checkedAt: 0,
    allowed: 0,
    isStopped: false,
    looking: Promise.resolve(),
    timer: undefined,
  }
  lookLater(state)
  return {
    stats: () => ({ found: Math.max(state.foundBefore, state.found), checkedAt: state.checkedAt }),
    goOn: () => goOn(state),
    async stop() {
      state.isStopped = true
      clearTimeout(state.timer)
      await state.looking
    },
  }
}

function lookLater(state: State): void {
  if (state.isStopped || state.lookMs === 0) return
  state.timer = setTimeout(() => {
    state.looking = goOn(state).finally(() => lookLater(state))
  }, state.lookMs).unref()
}

async function goOn(state: State): Promise<void> {
  state.allowed = Math.min(MS_A_LOOK, state.allowed + MS_A_LOOK)
  const started = performance.now()
  await walkOn(state, started + state.allowed)
  state.allowed -= performance.now() - started
}

/** @param until by `performance.now()`; the step that passes it is the last */
async function walkOn(state: State, until: number): Promise<void> {
  const walking = state.walking ?? (await begun(state))
  if (walking === undefined) return
  try {
    while (!state.isStopped && performance.now() < until) {
      const { done, value } = await walking.next()
      if (done) {
        finish(state)
        return
      }
      note(state, value.found)
    }
  } catch (error) {
    // a store that is away, or a part that cannot be read: begun anew tomorrow, or with the next start
    state.walking = undefined
    if (error instanceof Error && error.name !== 'StoreUnavailable')
      note(state, [{ part: 'tree', key: 'all', reason: `it cannot be read: ${error.message}` }])
  }
}

/** A new walk where one is due; undefined: none is. */
async function begun(state: State): Promise<State['walking']> {
  const { record, clock } = state
  if (clock.uptime() - state.begunAt < DAY_MS) return undefined
  // of a record that has just begun nothing is signed yet
  if (!(await isSigned(record))) return undefined
  state.begunAt = clock.uptime()
  state.found = 0
  state.walking = verifyLog(record)
  return state.walking
}

function finish(state: State): void {
  state.walking = undefined
  state.foundBefore = state.found
  state.checkedAt = state.clock.wall()
}

const isSigned = ({ seals }: SealedRecord): Promise<boolean> =>
  seals.heads().then(
    (heads) => heads.length > 0,
    () => false,
  )

function note(state: State, found: readonly LogFinding[]): void {
  state.found += found.length
  for (const finding of found) state.onFinding(finding)
}
