import { SENSOR_UNPLUGGED, STATUSES, violationBit, withStatus } from '../contracts/device-state.ts'
import type { Fact } from '../contracts/facts.ts'
import {
  createReadings,
  READING_FIELD_NAMES,
  READING_FIELDS,
  type ReadingColumns,
  type ReadingField,
} from '../contracts/readings.ts'
import { type Directory, deviceOfFact } from './directory.ts'
import { type Measured, measure, SENSOR_FIELDS } from './measured.ts'

/**
 * The newest reading and the state of every device, as columns indexed by device number.
 * `readings.at` 0: never heard; never later than the reading was stored. Positions stay when a reading has none, and what sensors
 * measured until it is overdue; all else is as the newest reading says.
 */
export type Latest = {
  /** row = device number; `readings.device` is not used */
  readings: ReadingColumns
  /** device-state.ts */
  state: Uint8Array
  /** `seq` of the record that last changed the row; 0: never */
  seq: Float64Array
  /** way travelled since the log began, km */
  odometer: Float64Array
  /** how many rows are in use: highest device number seen + 1 */
  size: number
}

/** All devices are disconnected until a fact or reading says otherwise. @param capacity rows to begin with */
export function emptyLatest(capacity = 1024): Latest {
  const readings = createReadings(capacity)
  return {
    readings,
    state: new Uint8Array(capacity).fill(STATUSES.indexOf('disconnected')),
    seq: new Float64Array(capacity),
    odometer: new Float64Array(capacity),
    size: 0,
  }
}

/** Device numbers whose rows changed, each once, in the order they first did. */
export type Changes = { add(deviceNo: number): void }

/**
 * Folds a batch in, in place: a row changes only by a reading that is newer, on the device's clock, than what it shows.
 * A clock that runs ahead is taken for the time the batch was stored, or setting it right would make its readings late
 * until that hour comes; of several readings ahead the last to arrive counts.
 * @param patienceOf how long the company of a device, by its number, waits for it, ms
 */
export function applyReadings(
  latest: Latest,
  measured: Measured,
  batch: ReadingColumns,
  { seq, recordedAt }: { seq: number; recordedAt: number },
  patienceOf: (deviceNo: number) => number,
  changes?: Changes,
): void {
  const { readings } = latest
  const storedAt = Math.floor(recordedAt)
  for (let i = 0; i < batch.length; i++) {
    const deviceNo = batch.device[i] as number
    if (deviceNo >= latest.size) grow(latest, deviceNo + 1)
    const columns = latest.readings
    const isAhead = (batch.at[i] as number) > storedAt
    const at = isAhead ? storedAt : (batch.at[i] as number)
    const before = columns.at[deviceNo] as number
    // what is so far ahead of now was known before the server's clock was set back
    const isNewest = before > storedAt + SET_BACK || at > before || (at === before && isAhead)
    if (isNewest) {
      addDistance(latest, batch, i, deviceNo)
      columns.at[deviceNo] = at
      const hasPosition = batch.lat[i] !== MISSING_POSITION && batch.lng[i] !== MISSING_POSITION
      for (const name of hasPosition ? PLACED_FIELDS : UNPLACED_FIELDS)
        columns[name][deviceNo] = batch[name][i] as number
    }
    const isOther = measure(measured, columns, deviceNo, batch, i, at, isNewest, patienceOf(deviceNo))
    if (isNewest || isOther) touch(latest, deviceNo, seq, changes)
  }
  readings.length = latest.size
}

/** Folds in the facts that change a device's state byte, in place; also gives a newly registered device its row. */
export function applyFact(latest: Latest, directory: Directory, fact: Fact, changes?: Changes): void {
  if (fact.type === 'device.registered') {
    if (fact.data.no >= latest.size) grow(latest, fact.data.no + 1)
    touch(latest, fact.data.no, fact.seq, changes)
    return
  }
  if (!changesState(fact)) return
  const deviceNo = deviceOfFact(directory, fact)?.no
  if (deviceNo === undefined) return
  if (deviceNo >= latest.size) grow(latest, deviceNo + 1)
  latest.state[deviceNo] = stateAfter(latest.state[deviceNo] as number, fact)
  touch(latest, deviceNo, fact.seq, changes)
}

type StateFact = Extract<
  Fact,
  {
    type:
      | 'violation.opened'
      | 'violation.cleared'
      | 'device-status.changed'
      | 'sensor.unplugged'
      | 'sensor.plugged-in'
  }
>

function changesState(fact: Fact): fact is StateFact {
  return (
    fact.type === 'violation.opened' ||
    fact.type === 'violation.cleared' ||
    fact.type === 'device-status.changed' ||
    fact.type === 'sensor.unplugged' ||
    fact.type === 'sensor.plugged-in'
  )
}

function stateAfter(state: number, fact: StateFact): number {
  switch (fact.type) {
    case 'violation.opened':
      return state | violationBit(fact.data.type)
    case 'violation.cleared':
      return state & ~violationBit(fact.data.type)
    case 'device-status.changed':
      return withStatus(state, fact.data.to)
    case 'sensor.unplugged':
      return state | SENSOR_UNPLUGGED
    case 'sensor.plugged-in':
      return state & ~SENSOR_UNPLUGGED
  }
}

/** ms */
const SET_BACK = 5 * 60_000
const without = (fields: readonly ReadingField[], some: readonly ReadingField[]): ReadingField[] =>
  fields.filter((name) => !some.includes(name))
/** What the newest reading says, with and without where it was. */
const PLACED_FIELDS = without(READING_FIELD_NAMES, SENSOR_FIELDS)
const UNPLACED_FIELDS = without(PLACED_FIELDS, ['lat', 'lng', 'heading'])
const MISSING_POSITION = READING_FIELDS.lat.missing
const EARTH_RADIUS_KM = 6371.0088
/** A jump of more than this between two readings is a wrong fix, not a way driven. */
const LONGEST_STEP_KM = 50

/** Equirectangular approximation, good to 0.1 % over the few kilometres between two readings. */
function addDistance(latest: Latest, batch: ReadingColumns, i: number, deviceNo: number): void {
  const { readings } = latest
  const lat = batch.lat[i] as number
  const before = readings.lat[deviceNo] as number
  if (lat === MISSING_POSITION || before === MISSING_POSITION) return
  const scale = Math.PI / 180 / READING_FIELDS.lat.scale
  const dLat = (lat - before) * scale
  const dLng = ((batch.lng[i] as number) - (readings.lng[deviceNo] as number)) * scale * Math.cos(lat * scale)
  const km = Math.hypot(dLat, dLng) * EARTH_RADIUS_KM
  if (km <= LONGEST_STEP_KM) latest.odometer[deviceNo] = (latest.odometer[deviceNo] as number) + km
}

function touch(latest: Latest, deviceNo: number, seq: number, changes?: Changes): void {
  latest.seq[deviceNo] = seq
  changes?.add(deviceNo)
}

function grow(latest: Latest, size: number): void {
  const capacity = latest.state.length
  if (size > capacity) {
    const larger = emptyLatest(Math.max(size, capacity * 2))
    for (const name of READING_FIELD_NAMES) larger.readings[name].set(latest.readings[name])
    larger.readings.at.set(latest.readings.at)
    larger.state.set(latest.state)
    larger.seq.set(latest.seq)
    larger.odometer.set(latest.odometer)
    Object.assign(latest, {
      readings: larger.readings,
      state: larger.state,
      seq: larger.seq,
      odometer: larger.odometer,
    })
  }
  latest.size = size
  latest.readings.length = size
}
