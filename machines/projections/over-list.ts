import type { Incident } from '../contracts/entities/incidents.ts'

/** What is over stays listed for so long, ms. */
export const OVER_FOR = 24 * 60 * 60_000

/**
 * Puts what is over since `at` (epoch ms) where it ended into a list of such, oldest end first, and lets go of those that ended
 * too long ago: more than `overFor` ms before the newest of them.
 */
export function endIn(over: Incident[], incident: Incident, at: number, overFor = OVER_FOR): void {
  const clearedAt = iso(at)
  let place = over.length
  while (place > 0 && (over[place - 1]?.clearedAt as string) > clearedAt) place--
  over.splice(place, 0, { ...incident, clearedAt })
  const newest = Date.parse(over.at(-1)?.clearedAt as string)
  let gone = 0
  while (Date.parse(over[gone]?.clearedAt as string) <= newest - overFor) gone++
  // not one by one: moving all the rest costs as much as they are
  if (gone > 100) over.splice(0, gone)
}

/** Epoch ms as ISO 8601. */
export const iso = (at: number): string => new Date(at).toISOString()
