import { counted } from '#machines/rules/figures.ts'
import type { TemperatureTally } from '#machines/rules/temperature-tally.ts'
import { COLD, duration, HOT, INK } from './pdf-page.ts'

/** Whether anything measured was beyond its limits: readings that stand too far apart for a time, too. */
export const wasOut = ({ countAbove, countBelow }: TemperatureTally): boolean => countAbove + countBelow > 0

/** For how long it was beyond its limits, at least where some readings stand for no time; in how many, where none stands for any. */
export function outWords({ above, below, countApart }: TemperatureTally): string {
  const out = above + below
  if (out === 0 && countApart > 0) return counted(countApart, 'reading')
  return countApart > 0 ? `at least ${duration(out)}` : duration(out)
}

/** Red where it was too warm more than too cold. */
export function outColour(tally: TemperatureTally): string {
  if (!wasOut(tally)) return INK
  const { above, below, countAbove, countBelow } = tally
  return (above + below > 0 ? above >= below : countAbove >= countBelow) ? HOT : COLD
}

/**
 * How a device was in a span, in one sentence: of time that nobody measured nothing is said.
 * @param isSet whether it had limits when the span ended
 * @param spanMs how long the span is, of which `gapMs` without a reading may be missing
 */
export function sentenceOf(
  tally: TemperatureTally,
  { isSet, spanMs, gapMs }: { isSet: boolean; spanMs: number; gapMs: number },
): string {
  const { count, measured, above, below, countApart } = tally
  if (count === 0) return 'No temperature was measured in this time'
  const parts = [
    ...(above > 0 ? [`${duration(above)} too warm`] : []),
    ...(below > 0 ? [`${duration(below)} too cold`] : []),
  ]
  const apart = counted(countApart, 'reading')
  if (parts.length > 0) {
    const more = countApart > 0 ? `, and in ${apart} too far apart to say how long` : ''
    return `Out of its limits: ${parts.join(', ')}${more}`
  }
  if (countApart > 0) return `Beyond its limits in ${apart}; too few to say how long`
  if (!isSet) return 'No limits are set'
  return isWhole(measured, spanMs, gapMs)
    ? 'Within its limits the whole time'
    : 'Within its limits whenever it was measured'
}

/** What is said of a device that has no excursion. */
export function noExcursionWords(tally: TemperatureTally, spanMs: number, gapMs: number): string {
  if (tally.count === 0) return 'No temperature was measured in this time.'
  if (tally.countApart > 0) return 'None that can be told: its readings are too far apart.'
  const never = 'Never out of limits for longer than its group allows'
  return isWhole(tally.measured, spanMs, gapMs) ? `${never}.` : `${never}, whenever it was measured.`
}

/** Whether readings stand for a span, but for what two of them may be apart. */
const isWhole = (measured: number, spanMs: number, gapMs: number): boolean => measured + gapMs >= spanMs
