import type { Clock } from '#machines/contracts/clock.ts'
import type { CommandData, CommandOf, CommandType } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { EventLog } from '../log/log.ts'
import type { ReadModels } from '../projecting/read-models.ts'
import type { Decision, Refused } from './decision.ts'

type Deps = { log: EventLog; readModels: ReadModels; clock: Clock }

/** What came of a command: its facts, the position from which they are to be seen, and why it was refused, if it was. */
export type Outcome = { seq: number; facts: readonly Fact[]; refused?: Refused }

/** A command as its caller writes it; the instant is the house's. */
export type Asked<T extends CommandType> = { type: T; by: string | null; data: CommandData<T> }

/** Decides on the state there is. Bound to what the decider needs beyond it, e.g. the asker's sight. */
export type Decide<T extends CommandType> = (directory: Directory, command: CommandOf<T>) => Decision

export type Execute = <T extends CommandType>(
  stream: string,
  asked: Asked<T>,
  decide: Decide<T>,
) => Promise<Outcome>

/**
 * Runs commands: decide on the newest state, append, wait until the read models show it.
 * Commands of one stream are taken one after the other, so that each decides on what the one before brought.
 */
export function createExecute({ log, readModels, clock }: Deps): Execute {
  const last = new Map<string, Promise<unknown>>()

  async function run<T extends CommandType>(
    stream: string,
    asked: Asked<T>,
    decide: Decide<T>,
  ): Promise<Outcome> {
    const command = { ...asked, at: clock.now() } as unknown as CommandOf<T>
    const { facts, refused } = decide(readModels.directory, command)
    let seq = readModels.seq
    let told: readonly Fact[] = []
    if (facts.length > 0) {
      told = (await log.append(stream, facts)).facts
      seq = told.at(-1)?.seq ?? seq
      await readModels.settled(seq)
    }
    return { seq, facts: told, ...(refused && { refused }) }
  }

  return (stream, asked, decide) => {
    const before = last.get(stream) ?? Promise.resolve()
    const mine = before.then(
      () => run(stream, asked, decide),
      () => run(stream, asked, decide),
    )
    last.set(stream, mine)
    const forget = () => {
      if (last.get(stream) === mine) last.delete(stream)
    }
    mine.then(forget, forget)
    return mine
  }
}
