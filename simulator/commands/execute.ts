import type { Clock } from '#machines/contracts/clock.ts'
import type { CommandData, CommandOf, CommandType } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { createTurns } from '../cluster/turns.ts'
import { type EventLog, VersionConflict } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import type { Decision, Refused } from './decision.ts'

type Deps = {
  log: Pick<EventLog, 'append' | 'version' | 'head' | 'caughtUp'>
  readModels: Pick<ReadModels, 'seq' | 'directory' | 'settled'>
  clock: Clock
}

/** What came of a command: its facts, the position from which they are to be seen, and why it was refused, if it was. */
export type Outcome = { seq: number; facts: readonly Fact[]; refused?: Refused }

/** A command as its caller writes it; the instant is the house's. */
export type Asked<T extends CommandType> = { type: T; by: string | null; data: CommandData<T> }

/**
 * Decides on the state there is, and again where that was not the newest. Bound to what the decider needs beyond it, e.g. the
 * asker's sight.
 */
export type Decide<T extends CommandType> = (directory: Directory, command: CommandOf<T>) => Decision

export type Execute = <T extends CommandType>(
  stream: string,
  asked: Asked<T>,
  decide: Decide<T>,
) => Promise<Outcome>

/**
 * Runs commands: decide on the newest state, append, wait until the read models show it.
 * Commands of one stream are taken one after the other, so that each decides on what the one before brought. Those of
 * other nodes come between: then the stream is not where it was, nothing is appended, and it is decided anew.
 */
export function createExecute({ log, readModels, clock }: Deps): Execute {
  const inTurn = createTurns()

  /** Until the read models hold what the log does: only then is its version that of what is decided on. */
  async function folded(): Promise<void> {
    while (readModels.seq < log.head()) await readModels.settled(log.head())
  }

  async function run<T extends CommandType>(
    stream: string,
    asked: Asked<T>,
    decide: Decide<T>,
  ): Promise<Outcome> {
    /** all there was anywhere when somebody last asked */
    let known = 0
    for (;;) {
      await folded()
      const seq = readModels.seq
      const expectedVersion = log.version(stream)
      const command = { ...asked, at: clock.now() } as unknown as CommandOf<T>
      const { facts, refused } = decide(readModels.directory, command)
      // nobody is refused for what they did on another node a moment ago
      if ((refused || facts.length === 0) && known === 0) {
        known = await log.caughtUp()
        if (known > seq) continue
      }
      if (facts.length === 0) return { seq, facts: [], ...(refused && { refused }) }
      try {
        const told = (await log.append(stream, facts, { expectedVersion })).facts
        const last = told.at(-1)?.seq ?? seq
        await readModels.settled(last)
        return { seq: last, facts: told, ...(refused && { refused }) }
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error
        known = await log.caughtUp()
      }
    }
  }

  return (stream, asked, decide) => inTurn(stream, () => run(stream, asked, decide))
}
