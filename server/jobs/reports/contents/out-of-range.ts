import { counted, figure } from '#machines/rules/figures.ts'
import type { LimitsSince, TemperatureTally } from '#machines/rules/temperature-tally.ts'
import { partsWithin } from './limits-in-force.ts'
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

/** A span of a device: how long it is, of which `gapMs` without a reading may be missing, and of it without limits, ms. */
export type Span = { spanMs: number; gapMs: number; unsetMs: number }

/** The limits of a span in words, under what they are called where they were others before its end; and for how long none were set, ms. */
export function limitsWords(
  limits: readonly LimitsSince[],
  from: number,
  to: number,
): { label: string; words: string; unsetMs: number } {
  const parts = partsWithin(limits, from, to).map((part) => ({ ...part, words: bandWords(part.limits) }))
  const words = parts.at(-1)?.words ?? NOT_SET
  const setMs = parts.reduce((ms, part) => ms + (part.words === NOT_SET ? 0 : part.to - part.from), 0)
  const isSame = parts.every((part) => part.words === words)
  return { label: isSame ? 'Limits' : 'Limits at the end', words, unsetMs: to - from - setMs }
}

const NOT_SET = 'not set'
const bandWords = ({ low, high }: LimitsSince['limits']): string =>
  Number.isNaN(low) ? NOT_SET : `${figure(low)} to ${figure(high)} °C`

/** How a device was in a span, in one sentence: of time that nobody measured, or without limits, nothing is said. */
export function sentenceOf(tally: TemperatureTally, span: Span): string {
  if (tally.count === 0) return 'No temperature was measured in this time'
  const { spanMs, unsetMs } = span
  if (unsetMs === 0) return outSentence(tally, span)
  return unsetMs < spanMs
    ? `${outSentence(tally, span)}; for ${duration(unsetMs)} none were set`
    : 'No limits were set'
}

function outSentence(tally: TemperatureTally, span: Span): string {
  const { above, below, countApart } = tally
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
  return isWhole(tally, span)
    ? 'Within its limits the whole time'
    : 'Within its limits whenever it was measured'
}

/** What is said of a device that has no excursion; `limitlessMs`: of its span without limits of either quantity, at most, ms. */
export function noExcursionWords(tally: TemperatureTally, span: Span, limitlessMs: number): string {
  if (tally.count === 0) return 'No temperature was measured in this time.'
  if (tally.countApart > 0) return 'None can be found: its readings are too far apart.'
  if (limitlessMs >= span.spanMs) return 'None: no limits were set.'
  const never = 'Never out of limits for longer than its group allows'
  const where =
    span.unsetMs > 0 ? ', while any were set' : isWhole(tally, span) ? '' : ', whenever it was measured'
  return `${never}${where}.`
}

/** Whether readings stand for a span that has limits all the time, but for what two of them may be apart. */
const isWhole = ({ measured }: TemperatureTally, { spanMs, gapMs, unsetMs }: Span): boolean =>
  unsetMs === 0 && measured + gapMs >= spanMs
