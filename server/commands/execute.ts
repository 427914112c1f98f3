import type { Clock } from '#machines/contracts/clock.ts'
import type { CommandData, CommandOf, CommandType } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { createTurns } from '../cluster/turns.ts'
import type { ReadModels } from '../read-models/read-models.ts'
import { StoreUnavailable } from '../store/store.ts'
import { appendDecided, type Decided, type Deciding } from './append-decided.ts'
import { createDailyAllowance } from './daily-allowance.ts'
import { type Decision, refuse } from './decision.ts'
import { currentRequest, nextAppendKey } from './repeatable.ts'

type Deps = Deciding & {
  readModels: Pick<ReadModels, 'directory'>
  clock: Clock
  /** characters of facts that one person may have written a UTC day (256 million) */
  mostADay?: number
}

/** One list of a schedule is 3 MB: whoever changes it without end would fill the disk. */
const WRITTEN_A_DAY = 256_000_000
const TOO_MUCH = 'You have changed too much today: go on tomorrow (UTC)'

/** What came of a command: its facts, the position from which they are to be seen, and why it was refused, if it was. */
export type Outcome = Decided

/** A command as its caller writes it; the instant is the server's. */
export type NewCommand<T extends CommandType> = { type: T; by: string | null; data: CommandData<T> }

/**
 * Decides on the state there is, and again where that was not the newest. Bound to what the decider needs beyond it, e.g. the
 * requester's scope.
 */
export type Decide<T extends CommandType> = (directory: Directory, command: CommandOf<T>) => Decision

export type Execute = <T extends CommandType>(
  stream: string,
  command: NewCommand<T>,
  decide: Decide<T>,
) => Promise<Outcome>

/**
 * Runs commands: decide on the newest state, append, wait until the read models show it.
 * Commands of one stream are taken one after the other, so that each decides on what the one before brought; those of
 * other nodes come between, which is noticed. While the store cannot write, whoever is in line is refused with the one before
 * them: each would wait as long as that one did. A command of a request that is sent again is not decided again. What one
 * person has written is bounded by day, what nobody asked for is not.
 */
export function createExecute({ log, readModels, clock, mostADay = WRITTEN_A_DAY }: Deps): Execute {
  const inTurn = createTurns()
  const written = createDailyAllowance(clock, mostADay)
  /** @param by who asked for it */
  function withinAllowance(by: string | null, decision: Decision): Decision {
    if (by === null || decision.facts.length === 0) return decision
    return written.take(by, JSON.stringify(decision.facts).length) ? decision : refuse(429, TOO_MUCH)
  }
  let last = 0
  let failed: { upTo: number; error: StoreUnavailable } | undefined
  return (stream, command, decide) => {
    const number = ++last
    const request = currentRequest()
    const idempotencyKey = request && nextAppendKey(request)
    return inTurn(stream, async () => {
      if (failed && number <= failed.upTo) throw failed.error
      try {
        const decideNow = () =>
          withinAllowance(
            command.by,
            decide(readModels.directory, {
              ...command,
              at: clock.now(),
            } as unknown as CommandOf<typeof command.type>),
          )
        const outcome = await appendDecided({ log, readModels }, stream, decideNow, idempotencyKey)
        if (request && outcome.facts.length > 0) request.hasChanged = true
        return outcome
      } catch (error) {
        if (error instanceof StoreUnavailable) failed = { upTo: last, error }
        throw error
      }
    })
  }
}
