import { blankChoice, type ReportChoice, rangeRequestFaults } from '../rules/report-request.ts'
import { reportRequestMachine } from './report-request.machine.ts'

const DAY = 86_400_000
const ZONE = 'Asia/Karachi'
export const NOW = Date.UTC(2026, 5, 15, 7)
/** two days, nothing picked */
export const BLANK = blankChoice({ from: NOW - 2 * DAY, to: NOW })
export const LAHORE: ReadonlySet<string> = new Set(['lahore'])
export const check = (choice: ReportChoice, now: number) => rangeRequestFaults(choice, now, ZONE)

type Sample = { type: string; patch?: Partial<ReportChoice> }

export const model = {
  name: 'report-request',
  kind: 'screen' as const,
  machine: reportRequestMachine,
  input: { choice: BLANK, check },
  events: [
    { type: 'choose', patch: { devices: 'all' } },
    { type: 'choose', patch: { devices: BLANK.devices } },
    { type: 'submit', now: NOW },
    { type: 'close' },
    { type: 'view' },
    { type: 'xstate.done.actor.sendRequest', output: undefined },
    { type: 'xstate.error.actor.sendRequest', error: new Error('No answer from the server') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: { choice: ReportChoice; faults: readonly unknown[] }
  }) =>
    JSON.stringify([
      snapshot.value,
      snapshot.context.choice.devices === 'all',
      snapshot.context.faults.length > 0,
    ]),
  describe: ({ type, patch }: Sample): string | undefined => {
    if (patch !== undefined) return patch.devices === 'all' ? 'picking all devices' : 'letting all go'
    return WORDS[type]
  },
}

const WORDS: Record<string, string> = {
  submit: 'Search',
  close: 'Cancel in the dialog',
  view: 'View Reports',
  'xstate.done.actor.sendRequest': 'the request being taken',
  'xstate.error.actor.sendRequest': 'a refusal of the server',
}
