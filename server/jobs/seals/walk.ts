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

/** Holds the whole record against its heads once a day, a hundredth of the time, on the node that leads. */
export function startSealWalk({
  record,
  onFinding,
  clock = { wall: Date.now, uptime: () => performance.now() },
  lookMs = LOOK_MS,
}: Options): SealWalk {
  let walking: AsyncGenerator<VerifyStep> | undefined
  let begunAt = Number.NEGATIVE_INFINITY
  let [before, now] = [0, 0]
  let checkedAt = 0
  /** ms of work that may be done now */
  let allowed = 0
  let isStopped = false
  let turn: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function goOn(): Promise<void> {
    allowed = Math.min(MS_A_LOOK, allowed + MS_A_LOOK)
    const started = performance.now()
    await walkOn(started + allowed)
    allowed -= performance.now() - started
  }

  async function walkOn(until: number): Promise<void> {
    if (walking === undefined) {
      if (clock.uptime() - begunAt < DAY_MS) return
      // of a record that has just begun nothing is signed yet
      if (!(await isSigned())) return
      begunAt = clock.uptime()
      now = 0
      walking = verifyLog(record)
    }
    try {
      while (!isStopped && performance.now() < until) {
        const { done, value } = await walking.next()
        if (!done) note(value.found)
        else {
          walking = undefined
          before = now
          checkedAt = clock.wall()
          return
        }
      }
    } catch (error) {
      // a store that is away, or a part that cannot be read: begun anew tomorrow, or with the next start
      walking = undefined
      if (error instanceof Error && error.name !== 'StoreUnavailable')
        note([{ part: 'tree', key: 'all', reason: `it cannot be read: ${error.message}` }])
    }
  }

  const isSigned = (): Promise<boolean> =>
    record.seals.heads().then(
      (heads) => heads.length > 0,
      () => false,
    )

  function note(found: readonly LogFinding[]): void {
    now += found.length
    for (const finding of found) onFinding(finding)
  }

  function next(): void {
    if (isStopped || lookMs === 0) return
    timer = setTimeout(() => {
      turn = goOn().finally(next)
    }, lookMs).unref()
  }
  next()

  return {
    stats: () => ({ found: Math.max(before, now), checkedAt }),
    goOn,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}
