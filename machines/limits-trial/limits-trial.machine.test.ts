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

test.each(['done', 'cancelled', 'failed'] as const)(
  'after one that is %s, whoever goes on does so from what was tried, though a link led to it',
  async (state) => {
    const [from, to] = ['2026-06-08T04:00:00.000Z', '2026-06-15T04:00:00.000Z']
    const actor = createActor(
      limitsTrialMachine.provide({
        actors: {
          followTrial: fromPromise<LimitsTrialWithResult, { trialId: string | null }>(async () => ({
            ...{ ...trial, from, to, state },
          })),
        },
      }),
    ).start()
    actor.send({ type: 'open', id: 't1' })
    const { context } = await waitFor(actor, (now) => !now.matches('running'))
    expect(context.error).toBe(
      { done: null, cancelled: 'It was cancelled', failed: 'Nothing came of it' }[state],
    )
    actor.send({ type: 'again' })
    await waitFor(actor, (now) => now.matches('choosing'))
    expect(actor.getSnapshot().context).toMatchObject({
      trialId: null,
      draft: { quantity: 'temperature', startDate: from, endDate: to, candidates: [candidate] },
    })
  },
)
