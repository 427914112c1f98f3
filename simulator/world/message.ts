/** What a device says about itself at a moment: one row of columns. */
import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Cursor } from './cursor.ts'
import { foremost, TROUBLE, type Trouble } from './incidents.ts'
import { PHASE } from './itinerary.ts'
import { hash32, PURPOSE, within } from './random.ts'
import type { Route } from './roads.ts'
import { HOUR } from './weather.ts'

const MINUTE = 60_000
/** gnssStatus as trackers give it: 1 a fix, 2 searching */
const FIX = 1
const NO_FIX = 2

/**
 * Writes what the device measures at `at` into `row`, in stored units (READING_FIELDS). The cursor has been moved to `at`.
 * @param device number the row carries
 */
export function writeMessage(
  to: ReadingColumns,
  row: number,
  device: number,
  cursor: Cursor,
  at: number,
): void {
  const { body, bits } = cursor
  to.device[row] = device
  to.at[row] = at + (bits === 0 ? 0 : skewOf(cursor, at))
  writeClimate(to, row, cursor, at)
  writePosition(to, row, cursor, at)

  const unplugged = (bits & TROUBLE['device-unplugged']) !== 0
  const radio = hash32(body.key, PURPOSE.radio, Math.floor(at / (20 * MINUTE)))
  const remote = body.route !== undefined && body.route.slow[cursor.way.point] === 0 ? 1 : 0
  to.gsmSignal[row] = Math.max(1, Math.min(5, 4 + (radio % 3) - 1 - remote))
  const driving = cursor.way.phase() === PHASE.driving
  const charge = driving ? 2.3 : 0
  const flicker = (radio >>> 8) % 120
  to.externalVoltage[row] = unplugged ? 0 : Math.round((body.voltage + charge) * 1000) + flicker
  to.batteryVoltage[row] = 4040 + ((radio >>> 16) % 90) - (unplugged ? drainOf(cursor, at) : 0)
  to.ignition[row] = body.route ? (driving ? 1 : 0) : READING_FIELDS.ignition.missing
  to.unplug[row] = unplugged ? 1 : 0
  to.door[row] = cursor.isDoorOpen() ? 1 : 0
}

function writeClimate(to: ReadingColumns, row: number, cursor: Cursor, at: number): void {
  const { body, bits } = cursor
  if ((bits & TROUBLE['sensor-unplugged']) !== 0) {
    to.temperature[row] = READING_FIELDS.temperature.missing
    to.temperature2[row] = READING_FIELDS.temperature2.missing
    to.humidity[row] = READING_FIELDS.humidity.missing
    return
  }
  if ((bits & TROUBLE['stuck-sensor']) !== 0) readStuck(cursor, at)
  else {
    cursor.measure(at)
    // the sensors' own noise, ±0.05 °C and ±0.3 %
    const noise = hash32(body.key, PURPOSE.noise, at)
    cursor.temperature += ((noise & 0xff) - 127.5) / 2550
    cursor.humidity += (((noise >>> 8) & 0xff) - 127.5) / 425
  }
  const { temperature, humidity } = cursor
  to.temperature[row] = Math.round(temperature * 100)
  to.humidity[row] = Math.round(Math.max(0, Math.min(100, humidity)) * 100)
  // by the door: a little of what is outside
  to.temperature2[row] = body.box.secondSensor
    ? Math.round((temperature + 0.02 * (cursor.outside - temperature)) * 100)
    : READING_FIELDS.temperature2.missing
}

/** The values the sensor had when it froze; worked out once, by a cursor of its own. */
function readStuck(cursor: Cursor, at: number): void {
  const trouble = foremost(cursor.troubles, TROUBLE['stuck-sensor'], at) as Trouble
  if (cursor.stuckFrom !== trouble.from) {
    const then = cursor.apart()
    then.move(trouble.from)
    then.measure(trouble.from)
    cursor.stuckFrom = trouble.from
    cursor.stuckTemperature = then.temperature
    cursor.stuckHumidity = then.humidity
  }
  cursor.temperature = cursor.stuckTemperature
  cursor.humidity = cursor.stuckHumidity
}

function writePosition(to: ReadingColumns, row: number, cursor: Cursor, at: number): void {
  const { body } = cursor
  const lost = (cursor.bits & TROUBLE['gps-lost']) !== 0
  to.gnssStatus[row] = lost ? NO_FIX : FIX
  const speed = body.route ? cursor.way.locate(at) : 0
  if (lost) {
    to.lat[row] = READING_FIELDS.lat.missing
    to.lng[row] = READING_FIELDS.lng.missing
    to.speed[row] = READING_FIELDS.speed.missing
    to.heading[row] = READING_FIELDS.heading.missing
    return
  }
  to.speed[row] = Math.round(speed * 10)
  if (!body.route) {
    to.lat[row] = Math.round(body.lat * 1e6)
    to.lng[row] = Math.round(body.lng * 1e6)
    to.heading[row] = READING_FIELDS.heading.missing
    return
  }
  const { lat, lng } = body.route
  const { point, share } = cursor.way
  const lat1 = lat[point] as number
  const lng1 = lng[point] as number
  const aside = cursor.way.phase() === PHASE.driving ? 0 : 1
  to.lat[row] = Math.round(
    (lat1 + ((lat[point + 1] as number) - lat1) * share + aside * body.northAside) * 1e6,
  )
  to.lng[row] = Math.round(
    (lng1 + ((lng[point + 1] as number) - lng1) * share + aside * body.eastAside) * 1e6,
  )
  to.heading[row] = headingOf(body.route, cursor)
}

/** Where the vehicle points: along its route, or back, whole degrees. */
function headingOf(route: Route, { way }: Cursor): number {
  const degrees = bearings(route)[way.point] as number
  return Math.round(way.isReturning() ? degrees + 180 : degrees) % 360
}

const BEARINGS = new WeakMap<Route, Float32Array>()

/** Bearing of each stretch of a route, degrees. */
function bearings(route: Route): Float32Array {
  const known = BEARINGS.get(route)
  if (known) return known
  const degrees = new Float32Array(route.lat.length)
  for (let i = 0; i + 1 < degrees.length; i++) {
    const lat = route.lat[i] as number
    const north = (route.lat[i + 1] as number) - lat
    const east = ((route.lng[i + 1] as number) - (route.lng[i] as number)) * Math.cos((lat * Math.PI) / 180)
    degrees[i] = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
  }
  BEARINGS.set(route, degrees)
  return degrees
}

/** A wrong clock: as far ahead as is said, or else some minutes ahead or up to hours behind, as long as it lasts. */
function skewOf(cursor: Cursor, at: number): number {
  if ((cursor.bits & TROUBLE['clock-skew']) === 0) return 0
  const trouble = foremost(cursor.troubles, TROUBLE['clock-skew'], at) as Trouble
  if (trouble.ahead > 0) return Math.round(trouble.ahead * MINUTE)
  const ahead = (trouble.salt & 1) === 1
  const minutes = within(cursor.body.key, PURPOSE.skew, trouble.salt, ahead ? 4 : -180, ahead ? 25 : -10)
  return Math.round(minutes * MINUTE)
}

/** mV the backup battery has lost since it was left alone. */
function drainOf(cursor: Cursor, at: number): number {
  const trouble = foremost(cursor.troubles, TROUBLE['device-unplugged'], at)
  return trouble ? Math.round(((at - trouble.from) / HOUR) * 95) : 0
}
