import { newVersionMachine } from './new-version.machine.ts'

const NOT_FETCHED = 'Failed to fetch dynamically imported module'

export const model = {
  name: 'new-version',
  kind: 'screen' as const,
  machine: newVersionMachine,
  events: [
    { type: 'build.changed' },
    { type: 'protocol.refused' },
    { type: 'part.missing', detail: NOT_FETCHED, isKept: true },
    { type: 'part.missing', detail: NOT_FETCHED, isKept: false },
    { type: 'reload', isKept: true },
    { type: 'reload', isKept: false },
    { type: 'later' },
    { type: 'xstate.done.actor.askServer', output: undefined },
    { type: 'xstate.error.actor.askServer', error: new Error('No answer from the server') },
  ],
  describe: ({ type, isKept }: { type: string; isKept?: boolean }) =>
    isKept === false ? `${WORDS[type]} with what may not be kept` : WORDS[type],
}

const WORDS: Record<string, string> = {
  'build.changed': 'an answer of another build',
  'protocol.refused': 'its link being refused for its version',
  'part.missing': 'a part not arriving',
  reload: 'Reload',
  later: 'Later',
  'xstate.done.actor.askServer': 'an answer of the same build',
  'xstate.error.actor.askServer': 'no answer',
}
