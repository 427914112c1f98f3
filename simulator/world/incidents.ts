/** What is wrong with a device at a moment: troubles that come by themselves, and faults that somebody injected. */
import { INCIDENTS, type IncidentKind, type Scenario } from '#machines/contracts/scenario.ts'
import { chance, hash32, PURPOSE } from './random.ts'
import { DAY, HOUR } from './weather.ts'

/** In force while `from` ≤ t < `until` (epoch ms). `salt`: its own chance. `ahead`: of a clock that is said to be so wrong, minutes; else NaN. */
export type Trouble = {
  kind: IncidentKind
  bit: number
  from: number
  until: number
  salt: number
  ahead: number
}

const bitOf = (kind: IncidentKind): number => 1 << INCIDENTS.indexOf(kind)

/** One bit a kind, so that all that is wrong at once is a number. */
export const TROUBLE = Object.fromEntries(INCIDENTS.map((kind) => [kind, bitOf(kind)])) as Record<
  IncidentKind,
  number
>

export function troubleOf(
  kind: IncidentKind,
  from: number,
  until: number,
  salt: number,
  ahead = Number.NaN,
): Trouble {
  return { kind, bit: bitOf(kind), from, until, salt, ahead }
}

/** Draws a device's troubles of a local day, from the scenario's mix. */
export type TroubleMix = {
  ofDay(key: number, day: number): Trouble[]
  dayOf(at: number): number
  dayStart(day: number): number
}

const NONE: Trouble[] = []
const SLOTS = 64

export function troubleMixOf(scenario: Scenario): TroubleMix {
  const utcOffset = scenario.utcOffsetMinutes * 60_000
  const mix = scenario.incidents.map((incident) => ({
    ...incident,
    shortest: incident.minutes[0] * 60_000,
    longest: incident.minutes[1] * 60_000,
  }))
  const startHours = hoursByShare(scenario.dayRhythm)
  const dayStart = (day: number) => day * DAY - utcOffset
  return {
    dayOf: (at) => Math.floor((at + utcOffset) / DAY),
    dayStart,
    ofDay(key, day) {
      let troubles = NONE
      for (let i = 0; i < mix.length; i++) {
        const counter = day * SLOTS + i * 4
        const incident = mix[i] as (typeof mix)[number]
        if (chance(key, PURPOSE.incident, counter) >= incident.perDay) continue
        const hour = startHours(chance(key, PURPOSE.incident, counter + 1))
        // most are short: the square leans towards the shortest
        const length = chance(key, PURPOSE.incident, counter + 2) ** 2
        const from = Math.round(dayStart(day) + hour * HOUR)
        const until = Math.round(from + incident.shortest + (incident.longest - incident.shortest) * length)
        const salt = hash32(key, PURPOSE.incident, counter + 3)
        if (troubles === NONE) troubles = []
        troubles.push(troubleOf(incident.kind, from, until, salt))
      }
      return troubles
    },
  }
}

/** From a chance to an hour of the day, so that hours come up by their share. */
function hoursByShare(shares: number[]): (draw: number) => number {
  const total = shares.reduce((sum, share) => sum + share, 0)
  return (draw) => {
    let left = draw * total
    for (let hour = 0; hour < shares.length; hour++) {
      const share = shares[hour] as number
      if (left < share) return hour + left / share
      left -= share
    }
    return shares.length - 1 / 3600
  }
}

/** Bits of what is in force at `at`. */
export function inForce(troubles: Trouble[], at: number): number {
  let bits = 0
  for (const trouble of troubles) if (at >= trouble.from && at < trouble.until) bits |= trouble.bit
  return bits
}

/** The one that has been in force longest, of this kind. */
export function foremost(troubles: Trouble[], bit: number, at: number): Trouble | undefined {
  let first: Trouble | undefined
  for (const trouble of troubles)
    if (
      trouble.bit === bit &&
      at >= trouble.from &&
      at < trouble.until &&
      (!first || trouble.from < first.from)
    )
      first = trouble
  return first
}

/** The next moment after `at` (not at it) when something starts or ends; Infinity when nothing does. */
export function nextChange(troubles: Trouble[], at: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { from, until } of troubles) {
    if (from > at && from < next) next = from
    if (until > at && until < next) next = until
  }
  return next
}

const FLAP = 8 * 60_000
const FLAP_SILENT = 6 * 60_000

/** Whether the device can't reach the network: it keeps its readings and sends them later. */
export function isCutOff(troubles: Trouble[], bits: number, at: number): boolean {
  if ((bits & TROUBLE.offline) !== 0) return true
  if ((bits & TROUBLE.flapping) === 0) return false
  const flapping = foremost(troubles, TROUBLE.flapping, at) as Trouble
  return (at - flapping.from) % FLAP < FLAP_SILENT
}

/** How long an unplugged tracker lives on its battery. */
export const BATTERY_LIFE = 6 * HOUR

/** Whether the device takes no readings at all. */
export function isDead(troubles: Trouble[], bits: number, at: number): boolean {
  if ((bits & TROUBLE.silent) !== 0) return true
  if ((bits & TROUBLE['device-unplugged']) === 0) return false
  const unplugged = foremost(troubles, TROUBLE['device-unplugged'], at) as Trouble
  return at - unplugged.from > BATTERY_LIFE
}
