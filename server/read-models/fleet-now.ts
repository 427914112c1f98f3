import { setImmediate as breath } from 'node:timers/promises'
import {
  SENSOR_UNPLUGGED,
  statusOf,
  VIOLATION_MASK,
  violationBit,
  withStatus,
} from '#machines/contracts/device-state.ts'
import {
  READING_FIELD_NAMES,
  READING_FIELDS,
  type ReadingColumns,
  type ReadingField,
} from '#machines/contracts/readings.ts'
import * as status from '#machines/device-status/fold.ts'
import { type Directory, patienceOf } from '#machines/projections/directory.ts'
import type { Latest } from '#machines/projections/latest.ts'
import { SENSOR_FIELDS } from '#machines/projections/measured.ts'
import { isOverdue, OVERDUE } from '#machines/rules/overdue.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'
import * as sensor from '#machines/sensor/fold.ts'
import type { Store, TelemetryStore } from '../store/store.ts'
import type { Cut } from './cut.ts'
import type { NotificationIndex } from './notification-index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What came late is looked for in so many hours of all devices at once, before that only of those silent for longer. */
const NEAR = 24
/** ms of work at a time */
const SLICE_MS = 5
const MISSING_POSITION = READING_FIELDS.lat.missing

export type IsRequested = (no: number) => boolean

export type Known = {
  store: Pick<Store, 'frames' | 'telemetry'>
  notifications: Pick<NotificationIndex, 'violationSpans'>
}

/** Device numbers: `reread` have readings that are not in the rows, `retold` may be in violation otherwise than the rows say. */
export type Otherwise = { reread: readonly number[]; retold: ReadonlySet<number> }

/**
 * Devices that something of before `at` (epoch ms) came late of, so that a frame may not have it. What is older than the reading that
 * a row shows, and than what counts for its sensors, changes nothing in it but the violations.
 * @param isRequested says of a device number whether it is meant
 */
export async function lateBefore(
  { frames }: Known['store'],
  { latest: { readings, size }, directory }: { latest: Latest; directory: Directory },
  at: number,
  isRequested: IsRequested,
): Promise<Otherwise> {
  const hour = Math.floor(at / HOUR)
  const near = new Set((await frames.lateDevices(hour - NEAR, hour)).filter(isRequested))
  const devices: number[] = []
  const since: number[] = []
  for (let no = 0; no < size; no++) {
    const first = Math.floor(((readings.at[no] as number) - reachOf(patienceOf(directory, no))) / HOUR)
    if (near.has(no) || (first < hour - NEAR && isRequested(no))) {
      devices.push(no)
      since.push(first)
    }
  }
  const reread = devices.length === 0 ? [] : await frames.lateAmong(devices, since, hour)
  return { reread, retold: near.union(new Set(reread)) }
}

/**
 * Sets rows of a fleet to what is known now at `at` (epoch ms), in place: of devices to reread the newest reading up to there and what
 * sensors measured, status by the readings since the one that stood there, of those retold the violations. `seq`: what the directory
 * stands for. Rejects with StoreUnavailable.
 */
export async function setToKnown(
  { store, notifications }: Known,
  { latest, directory, seq }: { latest: Latest; directory: Directory; seq: number },
  { reread, retold }: Otherwise,
  at: number,
): Promise<void> {
  let began = performance.now()
  for (const no of reread) {
    if (no >= latest.size) continue
    const heard = latest.readings.at[no] as number
    const patience = patienceOf(directory, no)
    const reach = Math.max(HOUR, reachOf(patience))
    const readings = await readingsUpTo(store.telemetry, no, heard, at, reach)
    if (isHeardSince(readings, heard)) {
      latest.state[no] = stateAfter(latest, no, readings, patience)
      putNewest(latest, no, readings, patience)
    }
    if (performance.now() - began < SLICE_MS) continue
    await breath()
    began = performance.now()
  }
  for (const no of retold)
    if (no < latest.size) latest.state[no] = (latest.state[no] as number) & ~VIOLATION_MASK
  const isRequested: IsRequested = (no) => retold.has(no)
  // also what was published later, where late readings say that it began before
  const cut: Cut = { at, view: 'now', seq, directory }
  const spans = await notifications.violationSpans({ from: at, to: at, isRequested, cut })
  for (const { no, type, openedAt, to } of spans)
    if (no < latest.size && openedAt <= at && (to === null || at < to))
      latest.state[no] = (latest.state[no] as number) | violationBit(type)
}

/** Whoever was silent for longer than its company waits is offline, also where nobody noticed. */
export function setSilent({ latest, directory }: { latest: Latest; directory: Directory }, at: number): void {
  for (let no = 0; no < latest.size; no++) {
    const state = latest.state[no] as number
    const heard = latest.readings.at[no] as number
    if (statusOf(state) === 'online' && at - heard > patienceOf(directory, no))
      latest.state[no] = withStatus(state, 'offline')
  }
}

/** So long before the newest reading counts what sensors measured, by the patience of a company: their last two values, ms. */
const reachOf = (patience: number): number => patience * (1 + 1 / OVERDUE)

/**
 * From when a device was last heard to `at`, both included, and so much before as `reach`, ms, says; where it was not heard before, as
 * much of the last day there is as says all.
 */
async function readingsUpTo(
  telemetry: TelemetryStore,
  no: number,
  heard: number,
  at: number,
  reach: number,
): Promise<ReadingColumns> {
  const today = Math.floor(at / DAY)
  // a day is what the store reads at once
  const near = Math.max(heard, heard === 0 ? today * DAY : at - DAY)
  if (heard === 0) {
    const from = Math.max(near, at - HOUR - reach)
    const newest = await telemetry.history(no, from, at + 1)
    if (isHeardSince(newest, Math.max(from + reach, at - HOUR)) && saysAll(newest)) return newest
  }
  const readings = await telemetry.history(no, near - reach, at + 1)
  if (isHeardSince(readings, near) || near === heard) return readings
  const first = Math.max(Math.floor(heard / DAY), today - RETENTION_DAYS)
  const days = await telemetry.daySummaries(Uint32Array.of(no), first, today)
  const last = days.findLast(({ count }) => count > 0)
  return last === undefined ? readings : telemetry.history(no, Math.max(heard, last.day * DAY) - reach, near)
}

const isHeardSince = ({ at, length }: ReadingColumns, since: number): boolean =>
  length > 0 && (at[length - 1] as number) >= since

/** Whether nothing before these readings makes a difference after them: where the device is, whether it has supply and a sensor. */
function saysAll(readings: ReadingColumns): boolean {
  const { length, unplug, temperature } = readings
  let [isPlaced, isSupplied, isMeasured] = [false, false, false]
  for (let row = length - 1; row >= 0; row--) {
    isPlaced ||= hasPosition(readings, row)
    isSupplied ||= unplug[row] !== READING_FIELDS.unplug.missing
    isMeasured ||= temperature[row] !== READING_FIELDS.temperature.missing
    if (isPlaced && isSupplied && isMeasured) return true
  }
  return false
}

/** Status after the readings since a device was heard, and sensor after all, as if each had been received at its time. */
function stateAfter(latest: Latest, no: number, readings: ReadingColumns, patience: number): number {
  const before = latest.state[no] as number
  const heard = latest.readings.at[no] as number
  const columns = status.createDeviceStatusColumns(1)
  const sensors = sensor.createSensorColumns(1)
  if (heard > 0) columns.place[0] = PLACES[statusOf(before)]
  // one that gave no value within these readings may not be fitted: it is not missed
  if (before & SENSOR_UNPLUGGED) sensors.place[0] = sensor.PLACE.unplugged
  for (let row = 0; row < readings.length; row++) {
    const at = readings.at[row] as number
    if (at >= heard) status.foldReading(columns, 0, at, at, readings.unplug[row] as number, patience, nothing)
    const isMeasured = readings.temperature[row] !== READING_FIELDS.temperature.missing
    sensor.foldReading(sensors, 0, at, isMeasured, patience, nothing)
  }
  const isUnplugged = sensors.place[0] === sensor.PLACE.unplugged
  const state = withStatus(before, status.statusAt(columns.place[0] as number))
  return isUnplugged ? state | SENSOR_UNPLUGGED : state & ~SENSOR_UNPLUGGED
}

const PLACES = {
  online: status.PLACE.online,
  offline: status.PLACE.offline,
  disconnected: status.PLACE.unplugged,
}

/** The newest reading takes the row; where it has no position the last one that has, and what sensors measured until it is overdue. */
function putNewest(
  { readings: columns }: Latest,
  no: number,
  readings: ReadingColumns,
  patience: number,
): void {
  const last = readings.length - 1
  let place = last
  while (place >= 0 && !hasPosition(readings, place)) place--
  columns.at[no] = readings.at[last] as number
  for (const name of READING_FIELD_NAMES) {
    const row = name === 'lat' || name === 'lng' || name === 'heading' ? place : last
    if (row >= 0) columns[name][no] = readings[name][row] as number
  }
  for (const name of SENSOR_FIELDS) {
    const row = lastWith(readings, name, last)
    if (row < 0) continue
    const [measuredAt, before] = [readings.at[row] as number, readings.at[lastWith(readings, name, row - 1)]]
    const apart = measuredAt - (before ?? Number.NEGATIVE_INFINITY)
    if (!isOverdue((readings.at[last] as number) - measuredAt, apart, patience))
      columns[name][no] = readings[name][row] as number
  }
}

/** The last row up to `row` that says something of a field; -1: none does. */
function lastWith(readings: ReadingColumns, name: ReadingField, row: number): number {
  let at = row
  while (at >= 0 && readings[name][at] === READING_FIELDS[name].missing) at--
  return at
}

const hasPosition = ({ lat, lng }: ReadingColumns, row: number): boolean =>
  lat[row] !== MISSING_POSITION && lng[row] !== MISSING_POSITION

const nothing = (): void => {}
