import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { type Attention, emptyAttention, evolveAttention } from '#machines/projections/attention.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import type { Decision } from '../decision.ts'

export type Decided = Decision

/** Given these facts, when this command: what the decider answers. */
export function given(...facts: NewFact[]) {
  const directory = emptyDirectory()
  const attention = emptyAttention()
  const stored = facts.map((fact, i): Fact => storedAs(fact, i + 1))
  for (const fact of stored) fold(directory, attention, fact)
  return {
    directory,
    attention,
    stored: stored as readonly Fact[],
    when: <C>(decide: (directory: Directory, command: C) => Decision, command: C): Decision =>
      decide(directory, command),
    /** stores the facts of a decision: the next command is decided on them */
    store(decision: Decision): void {
      for (const fact of decision.facts) {
        const next = storedAs(fact, stored.length + 1)
        stored.push(next)
        fold(directory, attention, next)
      }
    },
  }
}

const storedAs = (fact: NewFact, seq: number): Fact =>
  ({ ...fact, seq, id: `f${seq}`, v: 1, recordedAt: fact.at }) as Fact

function fold(directory: Directory, attention: Attention, fact: Fact): void {
  evolve(directory, fact)
  evolveAttention(attention, directory, fact)
}
