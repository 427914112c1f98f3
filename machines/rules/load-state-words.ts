import type { LoadState, LoadStory } from '../contracts/entities/loads.ts'

/** The state of a load in a word or two. */
export const LOAD_STATE_WORDS: Record<LoadState, string> = {
  within: 'Within budget',
  'at-risk': 'At risk',
  exhausted: 'Exhausted',
  'in-review': 'In review',
  released: 'Released',
  rejected: 'Rejected',
  closed: 'Closed',
}

/**
 * For how long a load was not measured, minutes: also before its first reading and after its last, where all its readings are kept.
 * undefined: it never was.
 */
export function unmeasuredMinutes({
  minutes,
  keptFrom,
  budget,
}: Pick<LoadStory, 'minutes' | 'keptFrom' | 'budget'>): number | undefined {
  if (budget.asOf === null) return undefined
  return keptFrom === undefined ? Math.max(0, minutes - budget.measuredMinutes) : budget.gapMinutes
}

/**
 * What is said of a place of a story instead of how long the load was there, where it was seen there once: it went by, or it has just come.
 * undefined: it stayed.
 * @param place which of the story's places
 */
export function momentWords(
  { places, morePlaces }: Pick<LoadStory, 'places' | 'morePlaces'>,
  place: number,
): 'passed' | 'reached' | undefined {
  const { from, to } = places[place] ?? {}
  if (from !== to) return undefined
  return morePlaces === 0 && place === places.length - 1 ? 'reached' : 'passed'
}
