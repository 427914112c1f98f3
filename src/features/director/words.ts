import type { SimIncident, SimLink } from '#machines/contracts/calls/sim-calls.ts'
import type { LinkFaultKind } from '#machines/contracts/scenario-script.ts'
import type { MomentLink } from '../../actors/director.ts'

export const LINK_WORDS: Record<LinkFaultKind, string> = {
  cut: 'Network cut',
  delay: 'Network slow',
  reorder: 'Network out of order',
  'server-errors': 'Half of the calls fail',
}

/** What is wrong with the network; `share`: of the calls that fail, half where left out. */
export function networkFaultWords({ fault, share }: Pick<SimLink, 'fault' | 'share'>): string {
  if (share === undefined || share === 0.5) return LINK_WORDS[fault]
  return `${Number((share * 100).toFixed(1))} % of the calls fail`
}

export const INCIDENT_WORDS: Record<SimIncident['type'], string> = {
  HIGH_TEMPERATURE_DETECTED: 'too hot',
  LOW_TEMPERATURE_DETECTED: 'too cold',
  HIGH_HUMIDITY_DETECTED: 'too humid',
  LOW_HUMIDITY_DETECTED: 'too dry',
  offline: 'offline',
  disconnected: 'disconnected',
}

/** World seconds in a real one. */
export const SPEEDS = [1, 10, 60, 300, 1000] as const

/** A span to choose, in seconds. */
export type Span = { id: string; text: string }
export const WORLD_SPANS: readonly Span[] = [
  { id: '600', text: '10 minutes' },
  { id: '1800', text: '30 minutes' },
  { id: '3600', text: '1 hour' },
  { id: '7200', text: '2 hours' },
  { id: '21600', text: '6 hours' },
  { id: '86400', text: '1 day' },
]
export const REAL_SPANS: readonly Span[] = [
  { id: '10', text: '10 seconds' },
  { id: '30', text: '30 seconds' },
  { id: '60', text: '1 minute' },
  { id: '300', text: '5 minutes' },
]

/** What is left, in one or two units: `1 h 20 min`, `4 min 5 s`, `12 s`. Milliseconds. */
export function leftWords(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ]
  if (days > 0) return joined(`${days} d`, hours % 24, 'h')
  if (hours > 0) return joined(`${hours} h`, minutes % 60, 'min')
  if (minutes > 0) return joined(`${minutes} min`, seconds % 60, 's')
  return `${seconds} s`
}

const joined = (large: string, rest: number, unit: string): string =>
  rest === 0 ? large : `${large} ${rest} ${unit}`

/** Where a copied link leads, and what it does not hold. */
export function linkWords({ isShipped, isForOthers, done }: Omit<MomentLink, 'link'>): string {
  const words = ['The link to this moment is copied']
  if (!isShipped) words.push('only a server that has the file of this scenario opens it')
  if (done > 0)
    words.push('what was done in the panel is not in it: «Save as scenario» under Done holds that')
  if (!isForOthers) words.push('the name of this server is left out, as others do not reach it by that')
  return words.join('; ')
}
