/** Outside air: a curve over the year, one over the day, and the weather of the week. */
import type { Climate } from '#machines/contracts/scenario.ts'
import { chance, keyOf, PURPOSE } from './random.ts'

export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Warmest around 5 July and at 15:00. */
const WARMEST_DAY = 186
const WARMEST_HOUR = 15

export type Weather = {
  /** °C outside */
  temperature(climate: Climate, at: number): number
  /** relative humidity outside, %: low when the day is hot */
  humidity(climate: Climate, at: number): number
}

/** @param utcOffset of the scenario's country, ms */
export function weatherOf(seed: number, utcOffset: number): Weather {
  const key = keyOf(seed, 'weather')
  const spell = (at: number) => {
    const day = Math.floor(at / DAY)
    const share = at / DAY - day
    const a = chance(key, PURPOSE.body, day)
    const b = chance(key, PURPOSE.body, day + 1)
    return (a + (b - a) * share * share * (3 - 2 * share)) * 5 - 2.5
  }
  const ofYear = (at: number) => Math.cos((2 * Math.PI * (at / DAY - WARMEST_DAY)) / 365.25)
  const ofDay = (at: number) => Math.cos((2 * Math.PI * ((at + utcOffset) / HOUR - WARMEST_HOUR)) / 24)
  return {
    temperature: (climate, at) =>
      climate.mean + climate.seasonal * ofYear(at) + climate.daily * ofDay(at) + spell(at),
    humidity: (climate, at) => Math.max(12, Math.min(96, climate.humidity - 14 * ofDay(at) - 2 * spell(at))),
  }
}
