import { newVersionMachine } from './new-version.machine.ts'

export const model = {
  name: 'new-version',
  kind: 'screen' as const,
  machine: newVersionMachine,
  events: [
    { type: 'build.changed' },
    { type: 'protocol.refused' },
    { type: 'part.missing', detail: 'Failed to fetch dynamically imported module' },
    { type: 'reload' },
    { type: 'later' },
    { type: 'xstate.done.actor.askServer', output: undefined },
    { type: 'xstate.error.actor.askServer', error: new Error('No answer from the server') },
    { type: 'xstate.done.actor.keepTyped', output: true },
    { type: 'xstate.done.actor.keepTyped', output: false },
    { type: 'xstate.error.actor.keepTyped', error: new Error('The storage is full') },
  ],
  describe: ({ type, output }: { type: string; output?: boolean }) =>
    type === 'xstate.done.actor.keepTyped' && output === false ? 'what may not be kept' : WORDS[type],
}

const WORDS: Record<string, string> = {
  'build.changed': 'an answer of another build',
  'protocol.refused': 'its link being refused for its version',
  'part.missing': 'a part not arriving',
  reload: 'Reload',
  later: 'Later',
  'xstate.done.actor.askServer': 'an answer of the same build',
  'xstate.error.actor.askServer': 'no answer',
  'xstate.done.actor.keepTyped': 'what was typed being kept',
  'xstate.error.actor.keepTyped': 'what cannot be kept',
}
