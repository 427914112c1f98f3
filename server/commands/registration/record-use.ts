import { CannotStart } from '../../config/variables.ts'
import type { EventLog } from '../../store/store.ts'
import { appendDecided, type Deciding } from '../append-decided.ts'
import { decided } from '../decision.ts'

/** What a record is for. The two never share one: the demo's accounts and keys are known to everybody. */
export type RecordUse = 'production' | 'demo'

const REFUSED: Record<RecordUse, string> = {
  production:
    'The record holds the demo, whose accounts and keys everybody knows: give production an empty DATA_DIR or DATABASE_URL, or start the demo on this one with SIMULATOR=on',
  demo: "The record is production's: start it with SIMULATOR=off, or give the demo a DATA_DIR or DATABASE_URL of its own",
}

/** The record is there for something else. The message says what to do. */
export class RecordOfOtherUse extends CannotStart {
  constructor(wanted: RecordUse) {
    super(REFUSED[wanted])
    this.name = 'RecordOfOtherUse'
  }
}

type Deps = Deciding & { log: Pick<EventLog, 'readFacts'> }

/**
 * Sees that a record is for this use. An empty one becomes production's by its first fact; whatever begins with another
 * fact is the demo's, as records of earlier releases are.
 * @throws RecordOfOtherUse; StoreUnavailable
 */
export async function claimRecord(deps: Deps, use: RecordUse, at: number): Promise<void> {
  const found = recordUse(deps.log)
  if (found === undefined && use === 'production')
    await appendDecided(deps, 'record', () =>
      recordUse(deps.log) === undefined
        ? decided({ type: 'record.begun', at, companyId: null, data: { use: 'production' } })
        : decided(),
    )
  if ((recordUse(deps.log) ?? use) !== use) throw new RecordOfOtherUse(use)
}

/** What a record is for; undefined where it holds no fact yet. */
export function recordUse(log: Pick<EventLog, 'readFacts'>): RecordUse | undefined {
  const [first] = log.readFacts(0, { limit: 1 })
  if (first === undefined) return undefined
  return first.type === 'record.begun' ? first.data.use : 'demo'
}
