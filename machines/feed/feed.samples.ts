import { feedMachine } from './feed.machine.ts'

export const model = {
  name: 'feed',
  kind: 'screen' as const,
  machine: feedMachine,
  events: [
    { type: 'linkUp' },
    { type: 'linkDown' },
    { type: 'joined' },
    { type: 'gapFound' },
    { type: 'snapshotNeeded' },
    { type: 'retry' },
    { type: 'outdated' },
    { type: 'xstate.done.actor.loadFleet', output: undefined },
    { type: 'xstate.error.actor.loadFleet', error: new Error('The server did not answer') },
    { type: 'xstate.done.actor.reloadFleet', output: undefined },
    { type: 'xstate.error.actor.reloadFleet', error: new Error('The server did not answer') },
  ],
  serializeState: (snapshot: { value: unknown; context: { isLinked: boolean } }) =>
    JSON.stringify([snapshot.value, snapshot.context.isLinked]),
  describe: ({ type }: { type: string }) => WORDS[type],
}

const WORDS: Record<string, string> = {
  linkUp: 'the link being there',
  linkDown: 'the link being gone',
  joined: 'news that join on',
  gapFound: 'news that do not join on',
  outdated: 'being older than the server',
  snapshotNeeded: 'being told to fetch anew',
  'xstate.done.actor.loadFleet': 'the fleet',
  'xstate.error.actor.loadFleet': 'no answer',
  'xstate.done.actor.reloadFleet': 'the new fleet',
  'xstate.error.actor.reloadFleet': 'no answer',
}
