import {
  type CandidateFigures,
  SERIOUS,
  type TrialEpisode,
  type TrialFigures,
} from '../contracts/entities/limits-trials.ts'
import { floodsOf, medianOf, SLOT_MS } from './alarm-health.ts'
import { REPEAT_WITHIN } from './repeats.ts'

/** An episode of one device: `limit` is what was crossed, °C or %. */
export type Tried = TrialEpisode & { limit: number }
/** Episodes of one device under what was in force, and under one candidate. `exhausting`: of the missed, in which a budget was exhausted. */
export type Compared = { missed: Tried[]; exhausting: Tried[]; added: Tried[]; leads: number[] }

/**
 * Matches episodes of one device by side and overlap of [since, cleared]: what the candidate misses, what it adds, and by how many
 * ms it tells earlier what both have, by the first that overlaps.
 *
 * @param exhaustedAt when budgets of loads on the device were exhausted, epoch ms
 */
export function compared(
  inForce: readonly Tried[],
  candidate: readonly Tried[],
  exhaustedAt: readonly number[] = [],
): Compared {
  const missed: Tried[] = []
  const leads: number[] = []
  for (const one of inForce) {
    const first = candidate.find((other) => overlap(one, other))
    if (first === undefined) missed.push(one)
    else leads.push(one.openedAt - first.openedAt)
  }
  return {
    missed,
    exhausting: missed.filter((one) => exhaustedAt.some((at) => covers(one, at))),
    added: candidate.filter((one) => !inForce.some((other) => overlap(one, other))),
    leads,
  }
}

const overlap = (a: Tried, b: Tried): boolean =>
  a.side === b.side &&
  a.since <= (b.clearedAt ?? Number.POSITIVE_INFINITY) &&
  b.since <= (a.clearedAt ?? Number.POSITIVE_INFINITY)

const covers = ({ since, clearedAt }: Tried, at: number): boolean =>
  since <= at && at <= (clearedAt ?? Number.POSITIVE_INFINITY)

/** Whether one went so far beyond its limit that to miss it is serious, whatever it was of a budget. */
const isFarBeyond = ({ side, worst, limit }: Tried): boolean =>
  (side === 'high' ? worst - limit : limit - worst) >= SERIOUS

/** Adds up what limits made of devices, one after the other. */
export type TrialSums = {
  figures: TrialFigures
  /** alarms told, in slots of ten minutes from `from` on */
  slots: Uint32Array
}

/** @param from, to epoch ms; the last slot may be a part of one */
export const beginSums = (from: number, to: number): TrialSums => ({
  figures: { episodes: 0, devices: 0, minutesOut: 0, told: 0, atNight: 0, floods: 0 },
  slots: new Uint32Array(Math.ceil((to - from) / SLOT_MS)),
})

/** @param isNight whether it is between 22 and 6 where the company is, at a time, epoch ms */
export function addEpisodes(
  { figures, slots }: TrialSums,
  episodes: readonly Tried[],
  { from, to, margin, isNight }: { from: number; to: number; margin: number; isNight(at: number): boolean },
): void {
  if (episodes.length > 0) figures.devices++
  figures.episodes += episodes.length
  for (const { since, clearedAt } of episodes)
    figures.minutesOut += Math.max(0, Math.min(clearedAt ?? to, to) - Math.max(since, from)) / 60_000
  for (const { openedAt } of notifiedOf(episodes, margin)) {
    if (openedAt < from) continue
    figures.told++
    if (isNight(openedAt)) figures.atNight++
    const slot = Math.floor((openedAt - from) / SLOT_MS)
    if (slot < slots.length) slots[slot] = (slots[slot] as number) + 1
  }
}

/** The figures once all are added. */
export const summedUp = ({ figures, slots }: TrialSums): TrialFigures => ({
  ...figures,
  floods: floodsOf(slots).length,
})

/**
 * Those that are alerted, were each acknowledged: one of the same side within the hour after the last was over is that again, unless
 * it goes farther out than what was acknowledged by more than the margin.
 */
function notifiedOf(episodes: readonly Tried[], margin: number): Tried[] {
  const notified: Tried[] = []
  for (const side of ['high', 'low'] as const) {
    let taken: { worst: number; endedAt: number | null; limit: number } | undefined
    for (const one of episodes.filter((episode) => episode.side === side)) {
      const isAgain =
        taken?.endedAt != null &&
        one.openedAt - taken.endedAt <= REPEAT_WITHIN &&
        one.limit === taken.limit &&
        (side === 'high' ? one.worst <= taken.worst + margin : one.worst >= taken.worst - margin)
      if (isAgain && taken) taken.endedAt = one.clearedAt
      else {
        notified.push(one)
        taken = { worst: one.worst, endedAt: one.clearedAt, limit: one.limit }
      }
    }
  }
  return notified
}

/** Figures of a candidate beside what was in force. */
export function candidateFigures(sums: TrialSums, comparisons: readonly Compared[]): CandidateFigures {
  const missed = comparisons.flatMap((one) => one.missed)
  const exhausting = new Set(comparisons.flatMap((one) => one.exhausting))
  const lead = medianOf(comparisons.flatMap(({ leads }) => leads))
  return {
    ...summedUp(sums),
    missed: missed.length,
    missedSerious: missed.filter((one) => isFarBeyond(one) || exhausting.has(one)).length,
    missedExhausting: exhausting.size,
    added: comparisons.reduce((sum, { added }) => sum + added.length, 0),
    medianLeadMinutes: lead === null ? null : lead / 60_000,
  }
}
