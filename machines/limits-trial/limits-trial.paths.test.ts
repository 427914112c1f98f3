import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { TrialGone } from './limits-trial.machine.ts'
import { model } from './limits-trial.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./limits-trial.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = { type: string; error?: Error; output?: { state?: string }; candidate?: number }

/** The last refusal, until the next step; and which trial it is about. */
function oracle(events: readonly Sent[]) {
  let [error, trialId, candidate]: [string | null, string | null, number] = [null, null, 0]
  for (const { type, error: why, output, candidate: picked } of events) {
    if (why) error = why.message
    if (['try', 'open', 'retry', 'apply', 'again'].includes(type) || type.endsWith('done.actor.cancelTrial'))
      error = null
    if (type === 'open' || type.endsWith('done.actor.startTrial')) trialId = 't1'
    if (type === 'again' || type.endsWith('done.actor.cancelTrial')) trialId = null
    if (why instanceof TrialGone) trialId = null
    if (output?.state === 'cancelled') [error, trialId] = ['It was cancelled', null]
    candidate = picked ?? candidate
  }
  return { error, trialId, candidate }
}
