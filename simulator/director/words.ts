import type { SimIncident } from '#machines/contracts/calls/sim-calls.ts'
import type { DirectorActionOf } from '#machines/contracts/director-actions.ts'
import { FAULT_WORDS } from '#machines/rules/fault-words.ts'
import { counted } from '#machines/rules/figures.ts'

const INCIDENT = {
  HIGH_TEMPERATURE_DETECTED: 'high temperature',
  LOW_TEMPERATURE_DETECTED: 'low temperature',
  HIGH_HUMIDITY_DETECTED: 'high humidity',
  LOW_HUMIDITY_DETECTED: 'low humidity',
  offline: 'contact lost',
  disconnected: 'device unplugged',
} as const satisfies Record<SimIncident['type'], string>

/** Seconds as people say them: `90 s`, `45 min`, `1 h 30 min`, `2 d`. */
export function durationOf(seconds: number): string {
  const parts: [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ]
  if (seconds < 120) return `${Number(seconds.toFixed(1))} s`
  let left = Math.round(seconds)
  const shown = parts.flatMap(([length, unit]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return shown.slice(0, 2).join(' ')
}

export const faultSentence = (
  done: Pick<DirectorActionOf<'fault.inject'>, 'fault' | 'forSeconds'>,
  whom: string,
): string => `${FAULT_WORDS[done.fault]} on ${whom} for ${durationOf(done.forSeconds)}`

/** `fleet`: its size; `group`: its name, where it is a group's. */
export function shareWords(share: number, devices: number, group: string | undefined): string {
  const percent = Number((share * 100).toFixed(1))
  return `${percent} % of ${group ?? 'the fleet'} (${counted(devices, 'device')})`
}

export const liftSentence = (
  { fault }: Pick<DirectorActionOf<'fault.lift'>, 'fault'>,
  name: string,
): string => `${FAULT_WORDS[fault]} on ${name} ended`

type NetworkFault = Pick<DirectorActionOf<'link.fault'>, 'fault' | 'milliseconds' | 'share'>

export const networkFaultWords = ({ fault, milliseconds = 1000, share = 0.5 }: NetworkFault): string =>
  ({
    cut: 'Network cut',
    delay: `Network slower by ${durationOf(milliseconds / 1000)}`,
    reorder: 'Network out of order',
    'server-errors': `${Number((share * 100).toFixed(1))} % of the calls fail`,
  })[fault]

export const networkFaultSentence = (done: DirectorActionOf<'link.fault'>): string =>
  `${networkFaultWords(done)} for ${durationOf(done.forSeconds)}`

/** `incident`: null where none came, undefined where none had when it was stopped on its way. */
export function incidentSentence(incident: SimIncident | null | undefined, seconds: number): string {
  const took = durationOf(seconds)
  if (incident === undefined) return `Stopped after ${took}, without an incident so far`
  if (incident === null) return `Ran on for ${took} without an incident`
  return `Ran to the next incident, ${took} on: ${INCIDENT[incident.type]}, ${incident.deviceName}`
}
