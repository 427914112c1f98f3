import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import { ON_TIME, READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import * as status from '#machines/device-status/fold.ts'
import { type Quantity, violationOf } from '#machines/rules/limits.ts'
import { keptFrom, RETENTION_DAYS } from '#machines/rules/retention.ts'
import * as sensor from '#machines/sensor/fold.ts'
import * as violation from '#machines/violation/fold.ts'
import { isLate, type LateReadings, markLate } from './late-readings.ts'
import type { DeviceLimits, LimitsTable } from './limits.ts'
import { changedBetween, limitsAt, type PastLimits } from './past-limits.ts'

/** The domain machines of every device, folded over columns. Row = device number. */
export type RuleState = {
  devices: number
  status: status.DeviceStatusColumns
  temperature: violation.ViolationColumns
  humidity: violation.ViolationColumns
  thermometer: sensor.SensorColumns
  hygrometer: sensor.SensorColumns
  /** how far event time got, and when silence was last looked for; epoch ms */
  now: number
  lookedAt: number
  /** of devices whose clock is ahead: the last times they claimed, as they were not evaluated by those */
  ahead: Map<number, number[]>
  /** devices with late readings that are not evaluated in their place yet */
  late: LateReadings
  /** how far received times got, epoch ms */
  receivedAt: number
  /** by `keyOf`: what violations that last are called, where that does not follow from when they began */
  names: Map<string, string>
  /** devices last published as offline though they are not, by a leader that had not all that was heard of them */
  takenForSilent: Set<number>
}

/** Times remembered of a device whose clock is ahead, and how long after the last of them, ms: another node is never so late. */
const MOST_AHEAD = 16
const AHEAD_KEPT = 60_000

/** A clock that goes back by more than this, ms, was set back; by less it is another node's. */
const SET_BACK = 5 * 60_000

/** Event time between two looks for silent devices, ms. */
const LOOK_EVERY = 1000

/** @param devices rows to begin with; columns grow with the highest device number */
export function emptyRuleState(devices = 1024): RuleState {
  return {
    devices,
    status: status.createDeviceStatusColumns(devices),
    temperature: violation.createViolationColumns('temperature', devices),
    humidity: violation.createViolationColumns('humidity', devices),
    thermometer: sensor.createSensorColumns(devices),
    hygrometer: sensor.createSensorColumns(devices),
    now: 0,
    lookedAt: 0,
    ahead: new Map(),
    late: new Map(),
    receivedAt: 0,
    names: new Map(),
    takenForSilent: new Set(),
  }
}

/** Since when all readings of a company are kept, epoch ms: nothing is concluded of before, as what lay beside a reading may be gone. */
export type KeptSince = (companyId: string, now: number) => number

/** As long as a server keeps readings, whatever companies chose. */
export const keptByServer: KeptSince = (_, now) => keptFrom(RETENTION_DAYS, now)

/** A device could not be evaluated: the others were. */
export type OnFailure = (no: number, error: unknown) => void

/**
 * What a batch of readings means. A device's clock that runs ahead is taken for the time it was stored, so that setting it
 * right does not make its readings late. A reading that two nodes took at the same time is in two batches and counts once.
 * One that cannot be evaluated is marked as late: its device is evaluated anew from what is stored, whatever state that left it in.
 */
export function evaluateReadings(
  ruleState: RuleState,
  table: LimitsTable,
  readings: ReadingColumns,
  { seq, recordedAt }: { seq: number; recordedAt: number },
  past: PastLimits,
  onFailure: OnFailure,
  keptSince: KeptSince = keptByServer,
): NewFact[] {
  const storedAt = Math.floor(recordedAt)
  ruleState.receivedAt = storedAt
  grow(ruleState, table.devices.length)
  if (storedAt < ruleState.now - SET_BACK) clockSetBack(ruleState, storedAt)
  const facts: NewFact[] = []
  const emit = emitterOf(table, facts, ruleState.names)
  const { length } = readings
  // around the loop, not in it: as a call for each reading it costs a tenth more
  for (let row = 0; row < length; row++)
    try {
      for (; row < length; row++) {
        const no = readings.device[row] as number
        if (table.devices[no] === undefined) continue
        const claimed = readings.at[row] as number
        const isOnTime = storedAt - claimed <= ON_TIME
        if (!isOnTime && claimed < keptSince(table.companyIds[no] as string, storedAt)) continue
        const mayBeAhead = ruleState.ahead.size > 0 || Math.floor(claimed) > storedAt
        if (mayBeAhead && isAheadAgain(ruleState.ahead, no, valueMark(readings, row), storedAt)) continue
        const at = Math.min(claimed, storedAt)
        if (isLate(claimed, storedAt, ruleState.status.heardAt[no] as number))
          markLate(ruleState.late, no, claimed, storedAt, seq)
        const deviceLimits = limitsAt(table, past, no, at) as DeviceLimits
        if (at > ruleState.now) ruleState.now = at
        const lat = degrees(readings.lat[row] as number)
        const lng = degrees(readings.lng[row] as number)
        emit.from(lat, lng, isOnTime ? undefined : storedAt)
        const unplug = readings.unplug[row] as number
        status.foldReading(ruleState.status, no, at, storedAt, unplug, deviceLimits.patience, emit.status)
        applyChange(ruleState, past, no, at)
        const temperature = readings.temperature[row] as number
        const humidity = readings.humidity[row] as number
        measure(ruleState, 'temperature', no, at, temperature, lat, lng, deviceLimits, emit)
        measure(ruleState, 'humidity', no, at, humidity, lat, lng, deviceLimits, emit)
      }
    } catch (error) {
      notEvaluated(ruleState, readings, row, storedAt, seq)
      onFailure(readings.device[row] as number, error)
    }
  emit.from(Number.NaN, Number.NaN)
  if (ruleState.now - ruleState.lookedAt >= LOOK_EVERY)
    lookForSilence(ruleState, table, ruleState.now, seq, emit, onFailure)
  return facts
}

/** Its device is evaluated anew later; it said something all the same. */
function notEvaluated(
  { late, status }: RuleState,
  { device, at }: ReadingColumns,
  row: number,
  storedAt: number,
  seq: number,
): void {
  const no = device[row] as number
  const heard = Math.min(at[row] as number, storedAt)
  markLate(late, no, heard, storedAt, seq)
  if (heard > (status.heardAt[no] as number)) status.heardAt[no] = heard
}

/**
 * Whether this reading was evaluated already, when its time was still to come. Of all others the machines know by themselves: they
 * take nothing that is not newer than what they have.
 */
function isAheadAgain(ahead: RuleState['ahead'], device: number, claimed: number, storedAt: number): boolean {
  const before = ahead.size === 0 ? undefined : ahead.get(device)
  if (before?.includes(claimed)) return true
  if (Math.floor(claimed) > storedAt) ahead.set(device, [...(before ?? []).slice(1 - MOST_AHEAD), claimed])
  else if (before && storedAt - Math.max(...before) > AHEAD_KEPT) ahead.delete(device)
  return false
}

/**
 * The server's clock was set back: what is newer than that is taken for received now, so that devices whose clocks follow are
 * evaluated, and those that say nothing are found silent. A spell that is no violation yet begins anew.
 */
function clockSetBack(ruleState: RuleState, now: number): void {
  const { status, temperature, humidity, thermometer, hygrometer, devices } = ruleState
  const isNewer = (at: number): boolean => at >= now
  const before = now - 1
  for (let no = 0; no < devices; no++) {
    if (isNewer(status.heardAt[no] as number)) status.heardAt[no] = before
    for (const { lastAt, measuredAt } of [thermometer, hygrometer])
      for (const times of [lastAt, measuredAt]) if (isNewer(times[no] as number)) times[no] = before
    for (const columns of [temperature, humidity]) {
      if (!isNewer(columns.lastAt[no] as number)) continue
      columns.lastAt[no] = before
      violation.foldLimitsChanged(columns, no)
    }
  }
  ruleState.ahead.clear()
  ruleState.now = now
  ruleState.lookedAt = Math.min(ruleState.lookedAt, now)
}

/**
 * The time a reading claims, with a fraction that tells apart what readings of that time measured. The time of one that two
 * nodes took is the same with it; that of another one is not.
 */
function valueMark({ at, temperature, humidity }: ReadingColumns, row: number): number {
  const mixed = Math.imul(temperature[row] as number, 31) + (humidity[row] as number)
  return (at[row] as number) + (mixed & 0x3ff) / 0x400
}

/** Limits that changed between a device's readings hold from the later one on: a spell that is no violation yet begins anew. */
function applyChange({ temperature, humidity }: RuleState, past: PastLimits, no: number, at: number): void {
  if (!past.has(no)) return
  for (const columns of [temperature, humidity])
    if (changedBetween(past, no, columns.lastAt[no] as number, at)) violation.foldLimitsChanged(columns, no)
}

/**
 * What it means that no reading came until `now`, epoch ms; all that was published is stored and read. Who was taken for silent is offline
 * until it is heard again. @param seq the log up to which readings are evaluated
 */
export function evaluateSilence(
  ruleState: RuleState,
  table: LimitsTable,
  now: number,
  seq: number,
  onFailure: OnFailure,
): NewFact[] {
  grow(ruleState, table.devices.length)
  const { place } = ruleState.status
  for (const no of ruleState.takenForSilent)
    if (place[no] === status.PLACE.online) place[no] = status.PLACE.offline
  ruleState.takenForSilent.clear()
  const facts: NewFact[] = []
  lookForSilence(ruleState, table, now, seq, emitterOf(table, facts, ruleState.names), onFailure)
  return facts
}

/** A fact says what a device is. If that is silent, and this is its present silence, it is offline, and no further fact follows. */
export function statusPublished(
  ruleState: RuleState,
  table: LimitsTable,
  { at, data }: FactOf<'device-status.changed'>,
): void {
  const no = table.numbers.get(data.imei)
  const deviceLimits = no === undefined ? undefined : table.devices[no]
  if (no === undefined || deviceLimits === undefined || no >= ruleState.devices) return
  ruleState.takenForSilent.delete(no)
  if (data.to !== 'offline') return
  const since = (ruleState.status.heardAt[no] as number) + deviceLimits.patience
  if (since === at) status.foldTimePassed(ruleState.status, no, at + 1, deviceLimits.patience, nothing)
  else if (ruleState.status.place[no] === status.PLACE.online) ruleState.takenForSilent.add(no)
}

/** The limits of these devices are others from `at` on: those that have later readings begin anew now, others with the next. */
export function limitsChanged(ruleState: RuleState, devices: number[], at: number): void {
  for (const no of devices) {
    if (no >= ruleState.devices) continue
    for (const columns of [ruleState.temperature, ruleState.humidity])
      if ((columns.lastAt[no] as number) >= at) violation.foldLimitsChanged(columns, no)
  }
}

/**
 * A device is retired: what is open of it is over, as nothing will be measured there any more, and late readings of it are not
 * evaluated: it has no limits.
 */
export function deviceRetired(ruleState: RuleState, table: LimitsTable, no: number, at: number): NewFact[] {
  ruleState.late.delete(no)
  if (no >= ruleState.devices) return []
  const facts: NewFact[] = []
  const emit = emitterOf(table, facts, ruleState.names)
  violation.foldUnplugged(ruleState.temperature, no, at, emit.violation)
  violation.foldUnplugged(ruleState.humidity, no, at, emit.violation)
  return facts
}

/** A device reports by another tracker: violations that last are called as they were published. */
export function trackerReplaced(
  { names, devices, temperature, humidity }: RuleState,
  { data: { no, before, after } }: FactOf<'device.tracker-replaced'>,
): void {
  if (no >= devices) return
  for (const [quantity, columns] of Object.entries({ temperature, humidity })) {
    const { aboveViolated, belowViolated } = violation.PLACE
    const place = columns.place[no] as number
    if (place !== aboveViolated && place !== belowViolated) continue
    const type = violationOf(quantity as Quantity, place === aboveViolated ? 'high' : 'low')
    const old = keyOf(before, type)
    names.set(keyOf(after, type), names.get(old) ?? violationIdOf(before, type, columns.since[no] as number))
    names.delete(old)
  }
}

const FIELDS = { temperature: READING_FIELDS.temperature, humidity: READING_FIELDS.humidity }

function measure(
  ruleState: RuleState,
  quantity: Quantity,
  no: number,
  at: number,
  stored: number,
  lat: number,
  lng: number,
  deviceLimits: DeviceLimits,
  emit: Emitter,
): void {
  const { missing, scale } = FIELDS[quantity]
  const isTemperature = quantity === 'temperature'
  const columns = isTemperature ? ruleState.temperature : ruleState.humidity
  const fitted = isTemperature ? ruleState.thermometer : ruleState.hygrometer
  const isMeasured = stored !== missing
  const before = fitted.place[no]
  sensor.foldReading(fitted, no, at, isMeasured, deviceLimits.patience, isTemperature ? emit.sensor : nothing)
  if (isMeasured)
    violation.foldReading(columns, no, at, stored / scale, lat, lng, deviceLimits[quantity], emit.violation)
  else if (fitted.place[no] === sensor.PLACE.unplugged && before !== sensor.PLACE.unplugged)
    violation.foldUnplugged(columns, no, at, emit.violation)
}

/** A device of which it cannot be said is looked at again the next time, and evaluated anew from when it was heard last. */
function lookForSilence(
  ruleState: RuleState,
  table: LimitsTable,
  now: number,
  seq: number,
  emit: Emitter,
  onFailure: OnFailure,
): void {
  for (let no = 0; no < table.devices.length; no++) {
    const deviceLimits = table.devices[no]
    if (deviceLimits === undefined) continue
    try {
      status.foldTimePassed(ruleState.status, no, now, deviceLimits.patience, emit.status)
    } catch (error) {
      ruleState.status.place[no] = status.PLACE.online
      markLate(ruleState.late, no, ruleState.status.heardAt[no] as number, ruleState.receivedAt, seq)
      onFailure(no, error)
    }
  }
  ruleState.lookedAt = Math.max(ruleState.lookedAt, now)
}

type Emitter = {
  /**
   * where the reading that is evaluated now was, degrees; NaN where it has no place, and for silence. `lateAt`: when it was
   * received, where that is late
   */
  from(lat: number, lng: number, lateAt?: number): void
  status: status.Emit
  sensor: sensor.Emit
  violation: violation.Emit
}

/** Facts of the machines, given the device they are about. */
function emitterOf(table: LimitsTable, facts: NewFact[], names: RuleState['names']): Emitter {
  const about = (no: number) => ({ imei: table.imeis[no] as string })
  const companyOf = (no: number): string | null => table.companyIds[no] ?? null
  let [lat, lng] = [Number.NaN, Number.NaN]
  let receivedAt: number | undefined
  const here = () => (Number.isNaN(lat) || Number.isNaN(lng) ? {} : { lat, lng })
  return {
    from(atLat, atLng, lateAt) {
      lat = atLat
      lng = atLng
      receivedAt = lateAt
    },
    status: (no, { type, at, data }) => {
      const isPlugged = data.from === 'disconnected' || data.to === 'disconnected'
      const where = isPlugged ? here() : {}
      const fields = { ...about(no), ...data, ...lastHeard(data, at, table.devices[no]), ...where }
      facts.push({ type, at, companyId: companyOf(no), data: fields })
    },
    sensor: (no, { type, at }) => {
      const data = type === 'sensor.unplugged' ? { ...about(no), ...here() } : about(no)
      facts.push({ type, at, companyId: companyOf(no), data })
    },
    violation: (no, fact) => {
      const { imei } = about(no)
      const key = keyOf(imei, fact.data.type)
      const isOpening = fact.type === 'violation.opened'
      const since = isOpening ? fact.data.since : fact.since
      const name = isOpening ? (table.names[no] as string) : imei
      const violationId = names.get(key) ?? violationIdOf(name, fact.data.type, since)
      names.delete(key)
      // earlier releases called it by the IMEI alone, and what they opened is ended as it was published
      if (name !== imei) names.set(key, violationId)
      const isLate = isOpening && receivedAt !== undefined
      const data = { violationId, ...about(no), ...fact.data, ...(isLate && { receivedAt }) }
      facts.push({ type: fact.type, at: fact.at, companyId: companyOf(no), data } as NewFact)
    },
  }
}

/** A silence counts from when a device was last heard and its patience on. */
function lastHeard({ from, to }: { from: string; to: string }, at: number, limits: DeviceLimits | undefined) {
  return from === 'online' && to === 'offline' && limits !== undefined
    ? { heardAt: at - limits.patience }
    : {}
}

/** Names a kind of violation of a device. */
export const keyOf = (imei: string, type: ViolationType): string => `${imei} ${type}`

/** The name of a violation: its device, its type and when it began. */
export const violationIdOf = (imei: string, type: ViolationType, since: number): string =>
  `${imei}-${LETTERS[type]}-${since}`

const LETTERS = {
  HIGH_TEMPERATURE_DETECTED: 'ht',
  LOW_TEMPERATURE_DETECTED: 'lt',
  HIGH_HUMIDITY_DETECTED: 'hh',
  LOW_HUMIDITY_DETECTED: 'lh',
} as const satisfies Record<ViolationType, string>

/** A hygrometer that is unplugged closes its violations; the documents know no fact for it. */
const nothing = (): void => {}

function degrees(stored: number): number {
  return stored === READING_FIELDS.lat.missing ? Number.NaN : stored / READING_FIELDS.lat.scale
}

function grow(ruleState: RuleState, devices: number): void {
  if (devices <= ruleState.devices) return
  const room = Math.max(devices, ruleState.devices * 2)
  const larger = emptyRuleState(room)
  for (const name of ['status', 'temperature', 'humidity', 'thermometer', 'hygrometer'] as const) {
    const to = larger[name] as Record<string, unknown>
    for (const [column, from] of Object.entries(ruleState[name])) {
      const target = to[column]
      if (target instanceof Float64Array || target instanceof Uint8Array) target.set(from as Uint8Array)
      else to[column] = from
    }
    Object.assign(ruleState[name], to)
  }
  ruleState.devices = room
}
