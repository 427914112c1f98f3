import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import type { LimitsTrialWithResult } from '../contracts/entities/limits-trials.ts'
import { limitsTrialMachine } from './limits-trial.machine.ts'

const candidate = { low: 2, high: 9, delaySeconds: 600, margin: 0.5 }
const trial = {
  ...{
    _id: 't1',
    groupId: 'g',
    quantity: 'temperature' as const,
    from: '',
    to: '',
    userName: '',
    startedAt: '',
  },
  ...{ candidates: [candidate], inForce: candidate, state: 'done' as const, reason: null, done: 3, of: 3 },
  result: null,
}

test('a link leads to what came of it, which is applied only once that is confirmed', async () => {
  const applied: unknown[] = []
  const actor = createActor(
    limitsTrialMachine.provide({
      actors: {
        followTrial: fromPromise<LimitsTrialWithResult, { trialId: string | null }>(async () => trial),
        applyCandidate: fromPromise<void, { trialId: string | null; candidate: number }>(
          async ({ input }) => void applied.push(input),
        ),
      },
    }),
  ).start()
  actor.send({ type: 'open', id: 't1' })
  await waitFor(actor, (state) => state.matches('shown'))
  actor.send({ type: 'apply', candidate: 1 })
  actor.send({ type: 'back' })
  expect(applied).toEqual([])
  actor.send({ type: 'apply', candidate: 2 })
  actor.send({ type: 'confirm' })
  actor.send({ type: 'confirm' })
  await waitFor(actor, (state) => state.matches('applied'))
  expect(applied).toEqual([{ trialId: 't1', candidate: 2 }])
})
