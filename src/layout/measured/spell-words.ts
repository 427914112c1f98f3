import { figure } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { clockTime, lasting, writtenTime } from '../../format/time.ts'
import { QUANTITIES } from './quantities.ts'
import type { Quantity, Series, Spell } from './series.ts'

/** What a series says of a device in one sentence: the state at its end, or what was out before. */
export type Summary = { side: Spell['side'] | undefined; headline: string; details: string[] }

/** A reading this old is not called "now", ms. */
const NOW_MS = 15 * 60_000

/**
 * «Above −10.0 °C for 1 h 32», «since 07:55», «now 23.6 °C, 33.6 above»; undefined where nothing was measured.
 * @param now epoch ms
 * @param span what is told of, epoch ms; of one whose end is still to come, until now
 */
export function summaryOf(
  series: Series,
  quantity: Quantity,
  now: number,
  span: { from: number; to: number },
): Summary | undefined {
  const { format } = QUANTITIES[quantity]
  const { limits, spells } = series
  const last = series.samples.at(-1)
  if (last === undefined) return undefined
  const value = (spell?: Spell): string => {
    const away = spell ? `, ${beyondOf(last.value, spell.limit, quantity)} ${spell.side}` : ''
    const at = last.at.getTime()
    return now - at < NOW_MS
      ? `now ${format(last.value)}${away}`
      : `${format(last.value)}${away} at ${timeOf(at, now)}`
  }
  if (limits.low >= limits.high) return { side: undefined, headline: 'No limits set', details: [value()] }
  const open = spells.findLast(({ isOpen }) => isOpen)
  if (open !== undefined)
    return {
      side: open.side,
      headline: `${limitWords(open, quantity)}${open.from < last.at ? ` for ${lastingMs(open.from, last.at)}` : ''}`,
      details: [sinceWords(open, now), value(open)],
    }
  const band = `${format(limits.low)} to ${format(limits.high)}`
  if (spells.length === 0)
    return {
      side: undefined,
      headline: `Within ${band} ${wasWhole(series, { from: span.from, to: Math.min(span.to, now) }) ? 'the whole time' : 'whenever it was measured'}`,
      details: [value()],
    }
  const out = spells.reduce((sum, { from, to }) => sum + (to.getTime() - from.getTime()), 0)
  const times = spells.length === 1 ? 'once' : `${spells.length} times`
  return {
    side: undefined,
    headline: `Within ${band} again`,
    details: [`out ${times}${out > 0 ? `, ${lasting(out / 1000)}` : ''}`, value()],
  }
}

/** Whether it was measured all along: silence at either end is a gap as one between two readings is. */
function wasWhole({ samples, gaps, patience }: Series, { from, to }: { from: number; to: number }): boolean {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || gaps.length > 0) return false
  return first.at.getTime() - from <= patience && to - last.at.getTime() <= patience
}

/** «Above −10.0 °C» */
export const limitWords = ({ side, limit }: Spell, quantity: Quantity): string =>
  `${side === 'above' ? 'Above' : 'Below'} ${QUANTITIES[quantity].format(limit)}`

const lastingMs = (from: Date, to: Date): string => lasting((to.getTime() - from.getTime()) / 1000)

/** «1 h 32 above, worst 23.6 °C, 1,840 degree-minutes»; of one reading alone «above, 12.0 °C»: it stands for no time. */
export function spellWords(spell: Spell, quantity: Quantity): string {
  const { format } = QUANTITIES[quantity]
  if (spell.from >= spell.to) return `${spell.side}, ${format(spell.worst.value)}`
  const amount = formatCount(Math.round(spell.degreeMinutes))
  const unit = quantity === 'temperature' ? 'degree-minutes' : 'percent-minutes'
  return `${lastingMs(spell.from, spell.to)} ${spell.side}, worst ${format(spell.worst.value)}, ${amount} ${unit}`
}

/** «07:55–09:28», «since 07:55»; with its date where it is of another day than the end. */
export function spellTime(spell: Spell, end: number): string {
  const from = timeOf(spell.from.getTime(), end)
  if (spell.isOpen) return spell.isFromStart ? `since before ${from}` : `since ${from}`
  return `${spell.isFromStart ? 'before ' : ''}${from}–${timeOf(spell.to.getTime(), end)}`
}

const sinceWords = (spell: Spell, now: number): string => spellTime({ ...spell, isOpen: true }, now)

/** «07:55», with its date where it is of another day. */
export const timeOf = (at: number, now: number): string =>
  Math.abs(now - at) < 20 * 3_600_000 ? clockTime(at) : writtenTime(at)

const beyondOf = (value: number, limit: number, quantity: Quantity): string =>
  figure(Math.abs(value - limit), QUANTITIES[quantity].decimals)
