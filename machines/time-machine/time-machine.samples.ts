import type { AnyMachineSnapshot } from 'xstate'
import { timeMachine } from './time-machine.machine.ts'

const FOUR = Date.UTC(2026, 5, 14, 23)
const NOW = FOUR + 6 * 3_600_000

export const model = {
  name: 'time-machine',
  kind: 'screen' as const,
  machine: timeMachine,
  events: [
    { type: 'look.back', at: FOUR, now: NOW },
    { type: 'step', by: -60_000, now: NOW },
    { type: 'view.choose', view: 'now' },
    { type: 'differences.toggle' },
    { type: 'play' },
    { type: 'pause' },
    { type: 'speed.choose', speed: 600 },
    { type: 'retry' },
    { type: 'leave' },
    { type: 'passed', shown: FOUR },
    { type: 'played', to: FOUR + 60_000, shown: FOUR + 60_000 },
    { type: 'played.out' },
    { type: 'playback.failed', error: new Error('The server cannot be reached') },
    { type: 'xstate.done.actor.load', output: { shown: FOUR } },
    { type: 'xstate.error.actor.load', error: new Error('Nothing was kept yet') },
  ],
  serializeState: ({ value }: AnyMachineSnapshot) => JSON.stringify(value),
  describe: ({ type }: { type: string }) => WORDS[type],
}

const WORDS: Record<string, string> = {
  'look.back': 'looking back at four in the morning',
  step: 'one minute back',
  'view.choose': 'what is known now',
  'differences.toggle': 'Differences only',
  play: 'Play',
  pause: 'Pause',
  'speed.choose': 'another speed',
  retry: 'Try again',
  leave: 'going back to now',
  passed: 'a minute on the way there being shown',
  played: 'the next minute being shown',
  'played.out': 'it having played up to now',
  'playback.failed': 'the next minute not being there',
  'xstate.done.actor.load': 'that minute being shown',
  'xstate.error.actor.load': 'nothing being kept of then',
}
