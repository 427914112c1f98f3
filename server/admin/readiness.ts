import type { Store } from '../store/store.ts'

type Follower = { readonly seq: number }
type Parts = {
  store: Pick<Store, 'log' | 'checkpoints'>
  readModels: Follower
  /** what this node does where it leads */
  leading: () => { evaluator: Follower } | undefined
  /** undefined where the record is this process's own */
  database: { isUp(): boolean } | undefined
  /** what keeps a simulated world from being shown; undefined: nothing */
  simulation: () => string | undefined
  /** ms that only ever grow */
  uptime?: () => number
}

/** Records a follower may be behind and still show what is. */
const MOST_LAG = 1000
/** Ms between two trials of the disk, however often somebody asks. */
const TRIAL_EVERY = 1000
const TRIAL = 'trial'
/** Past everything: what is written for a trial keeps no batch from being tidied away. */
const NEEDS_NOTHING = Number.MAX_SAFE_INTEGER

export type Readiness = {
  /** what keeps the server from taking and showing readings now; undefined: nothing */
  notReadyBecause(): string | undefined
  canWrite(): boolean
}

/** Whether the server does what it is for: tried, not remembered. */
export function createReadiness({
  store,
  readModels,
  leading,
  database,
  simulation,
  uptime = () => performance.now(),
}: Parts): Readiness {
  let triedAt = Number.NEGATIVE_INFINITY
  let couldWrite = true

  function canWrite(): boolean {
    if (uptime() - triedAt < TRIAL_EVERY) return couldWrite
    triedAt = uptime()
    couldWrite = store.checkpoints.save(TRIAL, NEEDS_NOTHING, () => new Uint8Array())
    return couldWrite
  }

  return {
    canWrite,
    notReadyBecause() {
      if (database?.isUp() === false) return 'the database does not answer'
      if (!canWrite()) return 'the store cannot write'
      const head = store.log.head()
      if (head - readModels.seq > MOST_LAG)
        return `the read models are ${head - readModels.seq} records behind`
      const { evaluator } = leading() ?? {}
      if (evaluator && head - evaluator.seq > MOST_LAG)
        return `the evaluator is ${head - evaluator.seq} records behind`
      return simulation()
    },
  }
}
