import { type Infer, integer, max, min, nullable, number, object } from 'superstruct'
import { saying } from '../scalars.ts'

/** How long a limit may be crossed at most before that is a violation, seconds; and how far back inside may be asked for, °C and %. */
export const MOST_DELAY_SECONDS = 86_400
export const MOST_MARGIN_TEMPERATURE = 20
export const MOST_MARGIN_HUMIDITY = 50

const between = (most: number) => saying(max(min(number(), 0), most), { minimum: 0, maximum: most })

/** How long a limit must be crossed before it is a violation, seconds. */
export const Delay = saying(max(min(integer(), 0), MOST_DELAY_SECONDS), {
  minimum: 0,
  maximum: MOST_DELAY_SECONDS,
})
export const TemperatureMargin = between(MOST_MARGIN_TEMPERATURE)
export const HumidityMargin = between(MOST_MARGIN_HUMIDITY)

/** How the limits of a group are evaluated: the delay, and by how much a value must come back (°C, %). Null: as its company has it. */
export const Evaluation = object({
  violationDelaySeconds: nullable(Delay),
  clearMarginTemperature: nullable(TemperatureMargin),
  clearMarginHumidity: nullable(HumidityMargin),
})
export type Evaluation = Infer<typeof Evaluation>

/** The same with a value for each: what a company has, or what is in force. */
export type EvaluationInForce = { [K in keyof Evaluation]: NonNullable<Evaluation[K]> }

/** A group that has set nothing. */
export const AS_COMPANY: Evaluation = {
  violationDelaySeconds: null,
  clearMarginTemperature: null,
  clearMarginHumidity: null,
}
