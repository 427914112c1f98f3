import type { FactData } from '#machines/contracts/facts.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { coordinates } from '#machines/rules/figures.ts'
import { foundLateOf, foundLateText } from '#machines/rules/found-late.ts'
import { VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { knownPlaces } from '../../../data/places.ts'
import type { AlertedViolation } from './alerted-violations.ts'

const TYPES = Object.keys(VIOLATION_WORDS) as ViolationType[]

/** e.g. `20 high temperature, 14 low humidity`, the most first. */
export function countedByType(violations: readonly AlertedViolation[]): string {
  const counts = TYPES.map((type) => ({
    name: VIOLATION_WORDS[type].name.toLowerCase(),
    count: violations.filter(({ opened }) => opened.data.type === type).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ name, count }) => `${count} ${name}`)
    .join(', ')
}

/** e.g. `12 km NE of Lahore (31.52000, 74.35000)`. */
export const placeOf = ({ lat, lng }: Pick<FactData<'violation.opened'>, 'lat' | 'lng'>): string =>
  lat === null || lng === null
    ? 'not known'
    : `${knownPlaces().words(lat, lng)} (${coordinates({ lat, lng })})`

/** Whether it lasted when it was published, in words. */
export function stateOf({ opened, ended }: AlertedViolation): string {
  if (ended === undefined) return 'still on'
  const { durationSeconds, worst, reason } = ended
  const because = reason === 'back-inside' ? '' : `, ${WHY_ENDED[reason]}`
  const minutes = Math.max(1, Math.round(durationSeconds / 60))
  return `ended after ${minutes} min, at worst ${valueWords(opened.data.type, worst)}${because}`
}

/** «Found late: out 11:10–11:45, known since 14:02 (…)»; undefined where it was published in time. */
export function lateWords({ opened }: AlertedViolation, timeZone: string | undefined): string | undefined {
  const found = foundLateOf(opened)
  return found && foundLateText(found, timeZone ?? 'UTC')
}

/** e.g. `3 still on`. */
export function stateOfAll(violations: readonly AlertedViolation[]): string {
  const lasting = violations.filter(({ ended }) => ended === undefined).length
  if (lasting === 0) return 'all over'
  return lasting === violations.length ? 'all still on' : `${lasting} still on`
}

const WHY_ENDED = {
  'threshold-changed': 'the threshold was changed',
  'sensor-unplugged': 'the sensor was unplugged',
}
