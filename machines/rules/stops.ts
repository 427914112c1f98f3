import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { followMotion, MOTION } from './motion.ts'
import { STOP_ENDS_TRIP } from './trips.ts'

/**
 * A time a device stood: `first` and `last` are the rows it begins and ends with. `idling`: ms of it with the engine on,
 * null where nothing was sent about the ignition. `endedBy`: what came next; `end`: the readings did.
 */
export type Stop = { first: number; last: number; idling: number | null; endedBy: 'driving' | 'gap' | 'end' }

const NO_PLACE = READING_FIELDS.lat.missing
const NO_SPEED = READING_FIELDS.speed.missing
const NO_IGNITION = READING_FIELDS.ignition.missing

/**
 * The stops of one device, in order: standing as motion.ts has it, for as long as ends a trip (`STOP_ENDS_TRIP`) or
 * longer. A gap, also one up to `end`, ends one: nobody knows what was then. Where a device tells neither a speed nor where it is nor that its
 * ignition is off, it is not known to stand. `watched`: ms of which it is known whether it stood.
 */
export function stopsOf(
  columns: ReadingColumns,
  gapMs: number,
  end: number,
): { stops: Stop[]; watched: number } {
  const { at, ignition } = columns
  const stops: Stop[] = []
  let open: Stop | undefined
  let watched = 0
  followMotion(columns, gapMs, (i, motion) => {
    const isKnown = motion !== MOTION.gap && saysMotion(columns, i)
    const ms = (at[i] as number) - (at[i - 1] as number)
    if (isKnown) watched += ms
    if (!isKnown || motion === MOTION.driving) {
      if (open !== undefined) open.endedBy = isKnown ? 'driving' : 'gap'
      open = undefined
      return
    }
    if (open === undefined) {
      open = { first: i - 1, last: i, idling: null, endedBy: 'end' }
      stops.push(open)
    }
    open.last = i
    if (ignition[i - 1] !== NO_IGNITION && ignition[i] !== NO_IGNITION)
      open.idling = (open.idling ?? 0) + (motion === MOTION.idling ? ms : 0)
  })
  if (open !== undefined && end - (at[open.last] as number) > gapMs) open.endedBy = 'gap'
  return {
    stops: stops.filter(({ first, last }) => (at[last] as number) - (at[first] as number) >= STOP_ENDS_TRIP),
    watched,
  }
}

/** Whether anything tells if it stood or drove between row `i - 1` and row `i`. */
function saysMotion({ lat, speed, ignition }: ReadingColumns, i: number): boolean {
  const hasSpeed = speed[i - 1] !== NO_SPEED || speed[i] !== NO_SPEED
  const hasPlaces = lat[i - 1] !== NO_PLACE && lat[i] !== NO_PLACE
  return hasSpeed || hasPlaces || (ignition[i - 1] === 0 && ignition[i] === 0)
}
