import type { AnyMachineSnapshot } from 'xstate'
import { recordingPlayerMachine } from './recording-player.machine.ts'

/** Of a recording with two steps. */
export const model = {
  name: 'recording-player',
  kind: 'screen' as const,
  machine: recordingPlayerMachine,
  events: [
    { type: 'file.chosen', name: 'session.json', file: null },
    { type: 'step.forward' },
    { type: 'step.back' },
    { type: 'jump', to: 2 },
    { type: 'play' },
    { type: 'pause' },
    { type: 'speed', speed: 10 },
    { type: 'played', to: 1 },
    { type: 'played', to: 2 },
    { type: 'xstate.done.actor.open', output: { steps: 2 } },
    { type: 'xstate.error.actor.open', error: new Error('recording: at steps.0.kind: is not known here') },
  ],
  serializeState: ({ value, context: { at } }: AnyMachineSnapshot) => JSON.stringify([value, at]),
  describe: (event: { type: string; to?: number }) =>
    WORDS[event.to === undefined ? event.type : `${event.type} ${event.to}`],
}

const WORDS: Record<string, string> = {
  'file.chosen': 'a file being chosen',
  'step.forward': 'one step forward',
  'step.back': 'one step back',
  'jump 2': 'a jump to the end',
  play: 'Play',
  pause: 'Pause',
  speed: 'another speed',
  'played 1': 'the first step being played',
  'played 2': 'the last step being played',
  'xstate.done.actor.open': 'the file being a recording of two steps',
  'xstate.error.actor.open': 'the file being none',
}
