import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import type { Decision } from '../decision.ts'

export type Decided = Decision

/** Given these facts, when this command: what the decider says. */
export function given(...facts: NewFact[]) {
  const directory = emptyDirectory()
  facts.forEach((fact, i) => {
    evolve(directory, { ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at } as Fact)
  })
  return {
    directory,
    when: <C>(decide: (directory: Directory, command: C) => Decision, command: C): Decision =>
      decide(directory, command),
  }
}
