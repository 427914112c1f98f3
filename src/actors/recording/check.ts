import type { AnyStateMachine } from 'xstate'
import type { Recording } from '#machines/contracts/recording.ts'
import { rerunOf } from './rerun.ts'
import { situationAt } from './situation.ts'

/**
 * Plays a recording on the machines as they are now and on the code that reads frames, step by step: how each step differs
 * from what was recorded, undefined where it does not.
 */
export function* checked(
  { start, steps }: Recording,
  machines: ReadonlyMap<string, AnyStateMachine>,
): Generator<string | undefined> {
  const situation = situationAt(start)
  const rerun = rerunOf(start, machines)
  for (const step of steps) {
    const differs = step.kind === 'event' ? rerun.send(step) : undefined
    yield situation.take(step) ?? differs
  }
}
