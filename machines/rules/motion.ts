import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { distanceKm } from './distance.ts'

/** What a device did between two neighbouring readings. `gap`: nobody knows. `idling`: standing with the engine on. */
export const MOTION = { gap: 0, standing: 1, idling: 2, driving: 3 } as const
export type Motion = (typeof MOTION)[keyof typeof MOTION]

/** Slower than this is standing: what a receiver's Doppler speed shows of a parked vehicle stays below it, km/h. */
export const DRIVING_KMH = 5
/** Faster than any truck between two fixes: one of them is wrong and the way counts nothing, km/h. */
export const WRONG_FIX_KMH = 200
/** Where no speed is sent: nearer to where it stood than this it still stands. Receivers wander about 20 m. */
export const JITTER_KM = 0.05

/** Of the time between row `i - 1` and row `i`; `km` is 0 but for driving, NaN where it drove and nobody knows how far. */
export type VisitMotion = (i: number, motion: Motion, km: number) => void

const NO_PLACE = READING_FIELDS.lat.missing
const NO_SPEED = READING_FIELDS.speed.missing
const DEGREES = 1 / READING_FIELDS.lat.scale
const DRIVING_STORED = DRIVING_KMH * READING_FIELDS.speed.scale

/**
 * Follows one device from reading to reading (ascending by `at`).
 *
 * - Two readings farther apart than `gapMs` are a gap: neither time nor way is made up for it.
 * - It drives where the mean of both speeds is at least DRIVING_KMH, unless the ignition is off at both ends; where
 *   neither sends a speed, where it has come JITTER_KM away from where it last stood.
 * - The way is the great circle between the two positions, while driving only: what a receiver wanders while the
 *   vehicle stands adds nothing. Without a position at either end, and of a step faster than WRONG_FIX_KMH, there
 *   is time but no way.
 * - Standing with the ignition on at both ends is idling.
 */
export function followMotion(columns: ReadingColumns, gapMs: number, visit: VisitMotion): void {
  const { length, at, lat, speed, ignition } = columns
  let anchor = length > 0 && lat[0] !== NO_PLACE ? 0 : -1
  for (let i = 1; i < length; i++) {
    const ms = (at[i] as number) - (at[i - 1] as number)
    const hasPlace = lat[i] !== NO_PLACE
    if (ms > gapMs) {
      visit(i, MOTION.gap, 0)
      anchor = hasPlace ? i : -1
      continue
    }
    const [before, now] = [speed[i - 1] as number, speed[i] as number]
    const isOff = ignition[i - 1] === 0 && ignition[i] === 0
    let isDriving = false
    if (before !== NO_SPEED || now !== NO_SPEED) {
      const sum = before === NO_SPEED ? 2 * now : now === NO_SPEED ? 2 * before : before + now
      isDriving = !isOff && sum >= 2 * DRIVING_STORED
      if (isDriving) {
        visit(
          i,
          MOTION.driving,
          lat[i - 1] === NO_PLACE || !hasPlace ? Number.NaN : step(columns, i - 1, i, ms),
        )
        anchor = hasPlace ? i : -1
        continue
      }
    } else if (!isOff && hasPlace && anchor >= 0) {
      const km = between(columns, anchor, i)
      if (km >= JITTER_KM) {
        visit(
          i,
          MOTION.driving,
          km * 3_600_000 > WRONG_FIX_KMH * ((at[i] as number) - (at[anchor] as number)) ? Number.NaN : km,
        )
        anchor = i
        continue
      }
    }
    if (anchor < 0 && hasPlace) anchor = i
    const isOn = ignition[i - 1] === 1 && ignition[i] === 1
    visit(i, isOn ? MOTION.idling : MOTION.standing, 0)
  }
}

function step(columns: ReadingColumns, from: number, to: number, ms: number): number {
  const km = between(columns, from, to)
  return km * 3_600_000 > WRONG_FIX_KMH * ms ? Number.NaN : km
}

/** What was driven, ms; `km` of the time of it of which it is known how far, `placed`, ms. `topSpeed`: km/h, NaN where none was sent. */
export type Driven = { km: number; driving: number; placed: number; topSpeed: number }

/** How far, km: at least, where that is known of some of the time; NaN: nobody knows. */
export const wayOf = ({ km, driving }: Driven): number => (driving > 0 && km === 0 ? Number.NaN : km)

/** km/h, of the time of which it is known how far; NaN: of none. */
export const averageSpeedOf = ({ km, placed }: Driven): number =>
  km > 0 ? (km * 3_600_000) / placed : Number.NaN

/** Adds so much of a step that was driven. `km`: NaN where nobody knows how far. */
export function addDriven(driven: Driven, ms: number, km: number): void {
  driven.driving += ms
  if (Number.isNaN(km)) return
  driven.km += km
  driven.placed += ms
}

/** Notes the speed of a reading. */
export function noteSpeed(driven: Driven, { speed }: ReadingColumns, row: number): void {
  const stored = speed[row] as number
  const kmh = stored / READING_FIELDS.speed.scale
  if (stored !== NO_SPEED && !(kmh <= driven.topSpeed)) driven.topSpeed = kmh
}

function between({ lat, lng }: ReadingColumns, from: number, to: number): number {
  if (lat[from] === lat[to] && lng[from] === lng[to]) return 0
  return distanceKm(
    (lat[from] as number) * DEGREES,
    (lng[from] as number) * DEGREES,
    (lat[to] as number) * DEGREES,
    (lng[to] as number) * DEGREES,
  )
}
