import { figure } from '#machines/rules/figures.ts'

/** `1.25`, `12.4`: alarms in a slot. */
export const slotMean = (mean: number): string => figure(mean, mean >= 10 ? 1 : 2)
