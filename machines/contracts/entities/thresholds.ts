import { type Infer, object } from 'superstruct'
import { Celsius, HumidityThreshold } from '../scalars.ts'

/** The limits of a group: beyond them is a violation. */
export const Thresholds = object({
  lowTemperatureThreshold: Celsius,
  highTemperatureThreshold: Celsius,
  lowHumidityThreshold: HumidityThreshold,
  highHumidityThreshold: HumidityThreshold,
})
export type Thresholds = Infer<typeof Thresholds>
