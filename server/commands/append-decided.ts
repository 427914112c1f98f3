import type { Fact } from '#machines/contracts/facts.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { type EventLog, VersionConflict } from '../store/store.ts'
import type { Decision } from './decision.ts'

export type Decided = Pick<Decision, 'refused'> & {
  facts: readonly Fact[]
  /** from where on they are to be seen; without any, what was decided on */
  seq: number
}

/** What is needed of the record and of what is folded from it. */
export type Deciding = {
  log: Pick<EventLog, 'append' | 'appended' | 'version' | 'head' | 'caughtUp'>
  readModels: Pick<ReadModels, 'seq' | 'settled'>
}

/**
 * Appends what is decided on the newest state, and waits until the read models show it. Where another node appended to the
 * stream meanwhile, nothing is appended and it is decided anew; and nobody is refused, or found to have nothing to do,
 * before all is known that was appended on other nodes.
 * @param idempotencyKey what was appended under it before is the answer, and nothing is decided
 * @param decide reads the read models at once, and may be called again
 * @throws StoreUnavailable
 */
export async function appendDecided(
  { log, readModels }: Deciding,
  stream: string,
  decide: () => Decision,
  idempotencyKey?: string,
): Promise<Decided> {
  /** all there was anywhere at the last look */
  let known = 0
  for (;;) {
    const before = idempotencyKey === undefined ? undefined : await log.appended(idempotencyKey)
    if (before) return seenFrom(readModels, before.facts)
    // the version is that of what is decided on only while the read models hold what the log does
    while (readModels.seq < log.head()) await readModels.settled(log.head())
    const { seq } = readModels
    const expectedVersion = log.version(stream)
    const { facts, refused } = decide()
    if ((refused || facts.length === 0) && known === 0) {
      known = await log.caughtUp()
      if (known > seq) continue
    }
    if (facts.length === 0) return { seq, facts: [], ...(refused && { refused }) }
    try {
      const { facts: stored } = await log.append(stream, facts, {
        expectedVersion,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      })
      return { ...(await seenFrom(readModels, stored)), ...(refused && { refused }) }
    } catch (error) {
      if (!(error instanceof VersionConflict)) throw error
      known = await log.caughtUp()
    }
  }
}

/** Facts that are stored, once they are to be seen. */
async function seenFrom(readModels: Deciding['readModels'], facts: readonly Fact[]): Promise<Decided> {
  const seq = facts.at(-1)?.seq ?? readModels.seq
  await readModels.settled(seq)
  return { seq, facts }
}
