import { limitsTrialMachine, TrialGone } from './limits-trial.machine.ts'

const draft = {
  quantity: 'temperature' as const,
  startDate: '2026-06-08T04:00:00.000Z',
  endDate: '2026-06-15T04:00:00.000Z',
  candidates: [{ low: 2, high: 9, delaySeconds: 600, margin: 0.5 }],
}
const trial = {
  ...{ _id: 't1', groupId: 'g', quantity: draft.quantity, from: draft.startDate, to: draft.endDate },
  ...{ candidates: draft.candidates, inForce: draft.candidates[0], userName: '', startedAt: draft.endDate },
  ...{ reason: null, done: 3, of: 3, result: null },
}

export const model = {
  name: 'limits-trial',
  kind: 'screen' as const,
  machine: limitsTrialMachine,
  events: [
    { type: 'try', draft },
    { type: 'open', id: 't1' },
    { type: 'progress', done: 1, of: 3, left: 20 },
    { type: 'cancel' },
    { type: 'apply', candidate: 0 },
    { type: 'confirm' },
    { type: 'back' },
    { type: 'again' },
    { type: 'retry' },
    { type: 'xstate.done.actor.startTrial', output: { id: 't1' } },
    { type: 'xstate.error.actor.startTrial', error: new Error('Other limits are being tried') },
    { type: 'xstate.done.actor.followTrial', output: { ...trial, state: 'done' as const } },
    { type: 'xstate.done.actor.followTrial', output: { ...trial, state: 'cancelled' as const } },
    { type: 'xstate.error.actor.followTrial', error: new Error('No answer from the server') },
    { type: 'xstate.error.actor.followTrial', error: new TrialGone('It is no longer kept') },
    { type: 'xstate.done.actor.cancelTrial', output: undefined },
    { type: 'xstate.error.actor.cancelTrial', error: new Error('No answer from the server') },
    { type: 'xstate.done.actor.applyCandidate', output: undefined },
    { type: 'xstate.error.actor.applyCandidate', error: new Error('Not found') },
  ],
  describe: ({ type, output, error }: { type: string; output?: { state?: string }; error?: Error }) =>
    output?.state === 'cancelled'
      ? 'somebody having cancelled it'
      : error instanceof TrialGone
        ? 'it being kept no more'
        : WORDS[type],
}

const WORDS: Record<string, string> = {
  try: 'Try limits',
  open: 'one of before',
  progress: 'a device being through',
  cancel: 'Cancel',
  apply: 'Apply',
  confirm: 'Confirm',
  back: 'Back',
  again: 'Try others',
  retry: 'Try again',
  'xstate.done.actor.startTrial': 'it being begun',
  'xstate.error.actor.startTrial': 'a refusal of the server',
  'xstate.done.actor.followTrial': 'it being through',
  'xstate.error.actor.followTrial': 'no answer',
  'xstate.done.actor.cancelTrial': 'it being cancelled',
  'xstate.error.actor.cancelTrial': 'no answer to that',
  'xstate.done.actor.applyCandidate': 'it being applied',
  'xstate.error.actor.applyCandidate': 'a refusal of that',
}
