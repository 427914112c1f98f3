import { boolean, type Infer, type } from 'superstruct'

/** One switch a violation type, as SMS and e-mail settings keep them. */
export const ViolationSwitches = type({
  LOW_TEMPERATURE_DETECTED: boolean(),
  LOW_HUMIDITY_DETECTED: boolean(),
  HIGH_TEMPERATURE_DETECTED: boolean(),
  HIGH_HUMIDITY_DETECTED: boolean(),
})
export type ViolationSwitches = Infer<typeof ViolationSwitches>
