import { incidentActionMachine } from './incident-action.machine.ts'

const ids = ['v1', 'v2']

export const model = {
  name: 'incident-action',
  kind: 'screen' as const,
  machine: incidentActionMachine,
  events: [
    { type: 'acknowledge', ids },
    { type: 'shelve', ids },
    { type: 'comment', ids },
    { type: 'say', text: 'Defrost' },
    { type: 'last', minutes: 240 },
    { type: 'retry' },
    { type: 'cancel' },
    { type: 'xstate.done.actor.act', output: undefined },
    {
      type: 'xstate.error.actor.act',
      error: Object.assign(new Error('1 of 2 were not done'), { ids: ['v2'] }),
    },
  ],
  describe: ({ type }: { type: string }) => WORDS[type],
}

const WORDS: Record<string, string> = {
  acknowledge: 'Acknowledge',
  shelve: 'Shelve',
  comment: 'Comment',
  say: 'a reason',
  last: 'four hours',
  retry: 'Try again',
  cancel: 'Cancel',
  'xstate.done.actor.act': 'it being done',
  'xstate.error.actor.act': 'a refusal of the server',
}
