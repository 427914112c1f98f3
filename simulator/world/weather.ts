/** Outside air: a curve over the year, one over the day, and the weather of the week. */
import type { Climate } from '#machines/contracts/scenario.ts'
import type { WeatherSpell } from '#machines/contracts/scenario-script.ts'
import { chance, keyOf, PURPOSE } from './random.ts'

export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Warmest around 5 July and at 15:00. */
const WARMEST_DAY = 186
const WARMEST_HOUR = 15

/** The climate of a spot. `spells`: how much it gets of each spell of the script that is for some places only, 0 to 1; left out: nothing. */
export type Air = Climate & { readonly spells?: readonly number[] }

export type Weather = {
  /** °C outside */
  temperature(climate: Air, at: number): number
  /** relative humidity outside, %: low when the day is hot */
  humidity(climate: Air, at: number): number
}

/** A spell comes and goes within so long, or a third of its own length, ms. */
const SPELL_EDGE = 1.5 * HOUR

/**
 * @param utcOffset of the scenario's country, ms
 * @param script spells of the scenario, and its start, from which they count, epoch ms
 */
export function weatherOf(
  seed: number,
  utcOffset: number,
  script: { spells: readonly WeatherSpell[]; start: number } = { spells: [], start: 0 },
): Weather {
  const key = keyOf(seed, 'weather')
  const ofWeek = (at: number) => {
    const day = Math.floor(at / DAY)
    const share = at / DAY - day
    const a = chance(key, PURPOSE.body, day)
    const b = chance(key, PURPOSE.body, day + 1)
    return (a + (b - a) * smooth(share)) * 5 - 2.5
  }
  const spells = script.spells.map((spell) => ({
    degrees: spell.degrees,
    isEverywhere: spell.places === undefined,
    from: script.start + spell.fromMinutes * 60_000,
    to: script.start + spell.toMinutes * 60_000,
  }))
  const ofScript = (air: Air, at: number) =>
    spells.reduce((sum, { degrees, isEverywhere, from, to }, i) => {
      const felt = isEverywhere ? 1 : (air.spells?.[i] ?? 0)
      if (felt === 0 || at <= from || at >= to) return sum
      const edge = Math.min(SPELL_EDGE, (to - from) / 3)
      return sum + degrees * felt * smooth(Math.min(1, (at - from) / edge, (to - at) / edge))
    }, 0)
  const ofYear = (at: number) => Math.cos((2 * Math.PI * (at / DAY - WARMEST_DAY)) / 365.25)
  const ofDay = (at: number) => Math.cos((2 * Math.PI * ((at + utcOffset) / HOUR - WARMEST_HOUR)) / 24)
  return {
    temperature: (air, at) =>
      air.mean + air.seasonal * ofYear(at) + air.daily * ofDay(at) + ofWeek(at) + ofScript(air, at),
    humidity: (air, at) =>
      Math.max(12, Math.min(96, air.humidity - 14 * ofDay(at) - 2 * ofWeek(at) - ofScript(air, at))),
  }
}

/** From 0 to 1 without a corner (smoothstep). */
const smooth = (share: number): number => share * share * (3 - 2 * share)

/** A spell for some places is felt in full this near to them, km, and no more at the second distance. */
const FELT_KM = [40, 120] as const

/** How much of each spell is felt somewhere. `away`: km from there to a place, by its id. */
export function spellsFelt(spells: readonly WeatherSpell[], away: (place: string) => number): number[] {
  const [near, far] = FELT_KM
  return spells.map(({ places }) => {
    if (places === undefined) return 1
    const km = Math.min(...places.map(away))
    return smooth(Math.max(0, Math.min(1, (far - km) / (far - near))))
  })
}
