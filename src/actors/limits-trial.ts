import { useActorRef } from '@xstate/react'
import { useEffect, useMemo, useRef } from 'react'
import { fromPromise } from 'xstate'
import { LIMITS_TRIAL_CALLS } from '#machines/contracts/calls/limits-trial-calls.ts'
import type { LimitsTrialWithResult } from '#machines/contracts/entities/limits-trials.ts'
import { type Draft, limitsTrialMachine, TrialGone } from '#machines/limits-trial/limits-trial.machine.ts'
import { failureOf } from './failure-words.ts'
import { inspect } from './inspection.ts'
import { unlessStopped } from './unless-stopped.ts'
import { useRoot } from './use-root.ts'

/** How often it is asked how far one is, ms. */
const ASK_MS = 500

type Options = {
  groupId: string
  /** another is the page's from now on; null: none. `how`: where the one before came to nothing, Back need not lead to it */
  onAddress: (trialId: string | null, how: 'push' | 'replace') => void
}

/** Trying limits for a group; lives as long as the component. */
export function useLimitsTrial({ groupId, onAddress }: Options) {
  const { http, toasts, clock } = useRoot()
  const noted = useRef(onAddress)
  const onTrial = useRef<(trial: LimitsTrialWithResult) => void>(() => {})
  useEffect(() => {
    noted.current = onAddress
  })
  const machine = useMemo(() => {
    const at = (id: string | null) => ({ params: { groupId, trialId: id ?? '' } })
    return limitsTrialMachine.provide({
      actors: {
        startTrial: fromPromise<{ id: string }, { draft: Draft | null }>(
          async ({ input: { draft }, signal }) => {
            const body = draft as Draft
            const trial = await inWords(
              http.ask(LIMITS_TRIAL_CALLS.tryLimits, { params: { groupId }, body }, { signal }),
            )
            return { id: trial._id }
          },
        ),
        followTrial: fromPromise<LimitsTrialWithResult, { trialId: string | null }>(({ input, signal }) =>
          unlessStopped(
            signal,
            (async () => {
              for (;;) {
                const options = { signal, isBackground: true }
                const trial = await inWords(
                  http.ask(LIMITS_TRIAL_CALLS.limitsTrial, at(input.trialId), options),
                )
                if (trial.state !== 'running') return trial
                onTrial.current(trial)
                await new Promise((resolve) => setTimeout(resolve, ASK_MS))
                signal.throwIfAborted()
              }
            })(),
          ),
        ),
        cancelTrial: fromPromise<void, { trialId: string | null }>(async ({ input, signal }) => {
          await inWords(http.ask(LIMITS_TRIAL_CALLS.cancelLimitsTrial, at(input.trialId), { signal }))
        }),
        applyCandidate: fromPromise<void, { trialId: string | null; candidate: number }>(
          async ({ input: { trialId: id, candidate }, signal }) => {
            const request = { ...at(id), body: { candidate } }
            await inWords(http.ask(LIMITS_TRIAL_CALLS.applyLimitsTrial, request, { signal }))
          },
        ),
      },
      actions: {
        noteAddress: ({ context: { trialId, error } }) =>
          noted.current(trialId, error === null ? 'push' : 'replace'),
        announce: () => toasts.success('Limits Applied Successfully!'),
      },
    })
  }, [http, toasts, groupId])
  const actor = useActorRef(machine, { inspect })
  useEffect(() => {
    onTrial.current = (trial) => {
      const { done, of } = trial
      actor.send({ type: 'progress', done, of, left: secondsLeft(trial, clock.now()) })
    }
  }, [actor, clock])
  return actor
}

/** As if the devices that are not through took as long as those that are. */
function secondsLeft({ done, of, startedAt }: LimitsTrialWithResult, now: number): number | null {
  const taken = (now - Date.parse(startedAt)) / 1000
  return done > 0 && taken > 0 ? (taken / done) * (of - done) : null
}

async function inWords<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    const { message, status } = failureOf(error)
    throw status === 404 ? new TrialGone(message) : new Error(message)
  }
}
