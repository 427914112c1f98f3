import { confirmDeleteMachine } from './confirm-delete.machine.ts'

export const model = {
  name: 'confirm-delete',
  kind: 'screen' as const,
  machine: confirmDeleteMachine,
  input: { id: 'lahore' },
  events: [
    { type: 'confirm' },
    { type: 'cancel' },
    { type: 'xstate.done.actor.deleteRecord', output: undefined },
    { type: 'xstate.error.actor.deleteRecord', error: new Error('Group not found') },
  ],
  describe: ({ type }: { type: string }) => WORDS[type],
}

const WORDS: Record<string, string> = {
  confirm: 'Confirm Delete',
  cancel: 'Cancel',
  'xstate.done.actor.deleteRecord': 'it being deleted',
  'xstate.error.actor.deleteRecord': 'a refusal of the server',
}
