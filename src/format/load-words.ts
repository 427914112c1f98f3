import type { LoadAction, LoadSpell, LoadState } from '#machines/contracts/entities/loads.ts'
import { figure } from '#machines/rules/figures.ts'
import { formatTemperature } from './numbers.ts'
import { lasting } from './time.ts'

/** Loads that are on a device, or that somebody must look at. */
export const OPEN_STATES: readonly LoadState[] = ['within', 'at-risk', 'exhausted', 'in-review']

/** What happened to a load, after who did it: "Aisha closed it"; of what nobody did, the whole of it. */
export const ACTION_WORDS: Record<LoadAction['action'], string> = {
  opened: 'opened it',
  exhausted: 'The budget was exhausted',
  revised: 'Late readings changed what is known',
  'review-begun': 'began the review',
  released: 'released it',
  rejected: 'rejected it',
  closed: 'closed it',
}

/** "62 %", or "62–85 %" where readings are missing; "not measured". */
export function usedWords(percent: number | null, most: number | null): string {
  if (percent === null) return 'not measured'
  const least = Math.floor(percent)
  const highest = most === null ? least : Math.floor(most)
  return highest > least ? `${least}–${highest} %` : `${least} %`
}

/** Minutes as a duration: "4 h 05". */
export const minutesWords = (minutes: number): string => lasting(minutes * 60)

/** "Above 8.0 °C for 1 h 32, up to 12.4 °C"; "up to 8.03 °C" where the shorter would be the limit itself */
export function spellOfLoad({ side, limit, minutes, worst, to }: LoadSpell): string {
  const farthest = side === 'above' ? 'up to' : 'down to'
  const isShort = formatTemperature(worst) !== formatTemperature(limit)
  return `${side === 'above' ? 'Above' : 'Below'} ${formatTemperature(limit)} for ${minutesWords(minutes)}${to === null ? ' so far' : ''}, ${farthest} ${isShort ? formatTemperature(worst) : `${figure(worst, 2)} °C`}`
}
