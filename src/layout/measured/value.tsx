import type { HistoryThresholds } from '#machines/contracts/entities/devices.ts'
import { classNames } from '../../ui/class-names.ts'
import { type GlyphState, STATE_INK, StateGlyph } from '../../ui/state-glyph.tsx'
import { glyphBeyond } from '../glyph-of.ts'
import { QUANTITIES } from './quantities.ts'
import type { Quantity } from './series.ts'

/** The limits of a group, °C and %. */
export type Limits = Pick<
  HistoryThresholds,
  'lowTemperatureThreshold' | 'highTemperatureThreshold' | 'lowHumidityThreshold' | 'highHumidityThreshold'
>

type ValueProps = {
  quantity: Quantity
  /** °C or %; null or undefined: not measured */
  value: number | null | undefined
  /** undefined: not known */
  limits: Limits | undefined
  /** as it is written where the unit stands elsewhere, as in the heading of a column */
  text?: string
  /** its shape stands elsewhere, with its word */
  isBare?: boolean
}

/** A measured value with its unit; beyond its limit with the shape and colour of that; the limits on hover. */
export function Value({ quantity, value, limits, text, isBare = false }: ValueProps) {
  const state = limits === undefined ? 'fine' : stateOfValue(quantity, value, limits)
  const isBeyond = state !== 'fine'
  return (
    <span
      title={limits && limitsOf(quantity, limits)}
      className={classNames(
        isBeyond && `inline-flex items-center gap-1.5 whitespace-nowrap font-medium ${STATE_INK[state]}`,
      )}
    >
      {isBeyond && !isBare && <StateGlyph state={state} />}
      {text ?? QUANTITIES[quantity].format(value)}
    </span>
  )
}

/** How a value stands to the limits. */
export const stateOfValue = (
  quantity: Quantity,
  value: number | null | undefined,
  limits: Limits,
): GlyphState =>
  quantity === 'temperature'
    ? glyphBeyond(value, limits.lowTemperatureThreshold, limits.highTemperatureThreshold, ['cold', 'hot'])
    : glyphBeyond(value, limits.lowHumidityThreshold, limits.highHumidityThreshold, ['dry', 'humid'])

/** «Limits 2.0 °C to 8.0 °C» */
export function limitsOf(quantity: Quantity, limits: Limits): string {
  const [low, high] =
    quantity === 'temperature'
      ? [limits.lowTemperatureThreshold, limits.highTemperatureThreshold]
      : [limits.lowHumidityThreshold, limits.highHumidityThreshold]
  const { format } = QUANTITIES[quantity]
  return low < high ? `Limits ${unbroken(format(low))} to ${unbroken(format(high))}` : 'No limits set'
}

/** A value and its unit stay on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')
