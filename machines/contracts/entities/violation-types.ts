import { boolean, type Infer, optional, type } from 'superstruct'

/** One switch a violation type. */
export const ViolationSwitches = type({
  LOW_TEMPERATURE_DETECTED: boolean(),
  LOW_HUMIDITY_DETECTED: boolean(),
  HIGH_TEMPERATURE_DETECTED: boolean(),
  HIGH_HUMIDITY_DETECTED: boolean(),
})
export type ViolationSwitches = Infer<typeof ViolationSwitches>

/** And one for budgets of loads that are exhausted; absent: on. */
export const AlertSwitches = type({ ...ViolationSwitches.schema, BUDGET_EXHAUSTED: optional(boolean()) })
export type AlertSwitches = Infer<typeof AlertSwitches>
export type AlertKind = keyof AlertSwitches

/** What reaches somebody by e-mail: alerts, and of managers the daily head of the record; absent: on. */
export const MailSwitches = type({ ...AlertSwitches.schema, DAILY_HEAD: optional(boolean()) })
export type MailSwitches = Infer<typeof MailSwitches>
