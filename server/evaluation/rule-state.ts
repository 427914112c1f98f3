import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import * as status from '#machines/device-status/fold.ts'
import type { Quantity } from '#machines/rules/limits.ts'
import * as sensor from '#machines/sensor/fold.ts'
import * as violation from '#machines/violation/fold.ts'
import type { Band, Bands } from './limits.ts'

/** The domain machines of every device, folded over columns. Row = device number. */
export type Verdicts = {
  devices: number
  status: status.DeviceStatusColumns
  temperature: violation.ViolationColumns
  humidity: violation.ViolationColumns
  thermometer: sensor.SensorColumns
  hygrometer: sensor.SensorColumns
  /** how far event time got, and when silence was last looked for; epoch ms */
  now: number
  lookedAt: number
  /** of devices whose clock is ahead: the last times they claimed, as they were not judged by those */
  ahead: Map<number, number[]>
}

/** Times remembered of a device whose clock is ahead, and how long after the last of them, ms: another node is never so late. */
const MOST_AHEAD = 16
const AHEAD_KEPT = 60_000

/** Event time between two looks for silent devices, ms. */
const LOOK_EVERY = 1000

export function emptyVerdicts(devices = 1024): Verdicts {
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
  }
}

/**
 * What a batch of readings means. A device's clock that runs ahead is taken for the time it was stored, so that setting it
 * right does not make its readings late. A reading that two nodes took at the same time is in two batches and counts once.
 */
export function judgeReadings(
  verdicts: Verdicts,
  bands: Bands,
  readings: ReadingColumns,
  recordedAt: number,
): NewFact[] {
  const storedAt = Math.floor(recordedAt)
  grow(verdicts, bands.bands.length)
  const facts: NewFact[] = []
  const tell = teller(bands, facts)
  for (let row = 0; row < readings.length; row++) {
    const no = readings.device[row] as number
    const band = bands.bands[no]
    if (band === undefined) continue
    const claimed = readings.at[row] as number
    if (isAheadAgain(verdicts.ahead, no, claimed, storedAt)) continue
    const at = Math.min(claimed, storedAt)
    if (at > verdicts.now) verdicts.now = at
    const lat = degrees(readings.lat[row] as number)
    const lng = degrees(readings.lng[row] as number)
    tell.from(lat, lng)
    status.foldReading(
      verdicts.status,
      no,
      at,
      storedAt,
      readings.unplug[row] as number,
      band.patience,
      tell.status,
    )
    measure(verdicts, 'temperature', no, at, readings.temperature[row] as number, lat, lng, band, tell)
    measure(verdicts, 'humidity', no, at, readings.humidity[row] as number, lat, lng, band, tell)
  }
  tell.from(Number.NaN, Number.NaN)
  if (verdicts.now - verdicts.lookedAt >= LOOK_EVERY) lookForSilence(verdicts, bands, verdicts.now, tell)
  return facts
}

/**
 * Whether this reading was judged already, when its time was still to come. Of all others the machines know by themselves: they
 * take nothing that is not newer than what they have.
 */
function isAheadAgain(ahead: Verdicts['ahead'], device: number, claimed: number, storedAt: number): boolean {
  const before = ahead.size === 0 ? undefined : ahead.get(device)
  if (before?.includes(claimed)) return true
  if (claimed > storedAt) ahead.set(device, [...(before ?? []).slice(1 - MOST_AHEAD), claimed])
  else if (before && storedAt - Math.max(...before) > AHEAD_KEPT) ahead.delete(device)
  return false
}

/** What it means that no reading came until `now`, epoch ms. */
export function judgeSilence(verdicts: Verdicts, bands: Bands, now: number): NewFact[] {
  grow(verdicts, bands.bands.length)
  const facts: NewFact[] = []
  lookForSilence(verdicts, bands, now, teller(bands, facts))
  return facts
}

/** It was told that a device is silent: if this is the silence it is in now, it is offline, and that is not news. */
export function silenceTold(
  verdicts: Verdicts,
  bands: Bands,
  { at, data }: FactOf<'device-status.changed'>,
): void {
  const no = bands.numbers.get(data.imei)
  const band = no === undefined ? undefined : bands.bands[no]
  if (no === undefined || band === undefined || no >= verdicts.devices || data.to !== 'offline') return
  const since = (verdicts.status.heardAt[no] as number) + band.patience
  if (since === at) status.foldTimePassed(verdicts.status, no, at + 1, band.patience, nothing)
}

/** The limits of these devices are others from now on. */
export function limitsChanged(verdicts: Verdicts, devices: number[]): void {
  for (const no of devices) {
    if (no >= verdicts.devices) continue
    violation.foldLimitsChanged(verdicts.temperature, no)
    violation.foldLimitsChanged(verdicts.humidity, no)
  }
}

const FIELDS = { temperature: READING_FIELDS.temperature, humidity: READING_FIELDS.humidity }

function measure(
  verdicts: Verdicts,
  quantity: Quantity,
  no: number,
  at: number,
  stored: number,
  lat: number,
  lng: number,
  band: Band,
  tell: Teller,
): void {
  const { missing, scale } = FIELDS[quantity]
  const isTemperature = quantity === 'temperature'
  const columns = isTemperature ? verdicts.temperature : verdicts.humidity
  const fitted = isTemperature ? verdicts.thermometer : verdicts.hygrometer
  const isMeasured = stored !== missing
  const before = fitted.place[no]
  sensor.foldReading(fitted, no, at, isMeasured, isTemperature ? tell.sensor : nothing)
  if (isMeasured)
    violation.foldReading(columns, no, at, stored / scale, lat, lng, band[quantity], tell.violation)
  else if (fitted.place[no] === sensor.PLACE.unplugged && before !== sensor.PLACE.unplugged)
    violation.foldUnplugged(columns, no, at, tell.violation)
}

function lookForSilence(verdicts: Verdicts, bands: Bands, now: number, tell: Teller): void {
  for (let no = 0; no < bands.bands.length; no++) {
    const band = bands.bands[no]
    if (band !== undefined) status.foldTimePassed(verdicts.status, no, now, band.patience, tell.status)
  }
  verdicts.lookedAt = Math.max(verdicts.lookedAt, now)
}

type Teller = {
  /** where the reading that is judged now was, degrees; NaN where it has no place, and for silence */
  from(lat: number, lng: number): void
  status: status.Emit
  sensor: sensor.Emit
  violation: violation.Emit
}

/** Facts of the machines, given the device they are about. */
function teller(bands: Bands, facts: NewFact[]): Teller {
  const about = (no: number) => ({ imei: bands.imeis[no] as string })
  const companyOf = (no: number): string | null => bands.companyIds[no] ?? null
  let [lat, lng] = [Number.NaN, Number.NaN]
  const here = () => (Number.isNaN(lat) || Number.isNaN(lng) ? {} : { lat, lng })
  return {
    from(atLat, atLng) {
      lat = atLat
      lng = atLng
    },
    status: (no, { type, at, data }) => {
      const isPlugged = data.from === 'disconnected' || data.to === 'disconnected'
      const where = isPlugged ? here() : {}
      facts.push({ type, at, companyId: companyOf(no), data: { ...about(no), ...data, ...where } })
    },
    sensor: (no, { type, at }) => {
      const data = type === 'sensor.unplugged' ? { ...about(no), ...here() } : about(no)
      facts.push({ type, at, companyId: companyOf(no), data })
    },
    violation: (no, fact) => {
      const since = fact.type === 'violation.opened' ? fact.data.since : fact.since
      const violationId = violationIdOf(about(no).imei, fact.data.type, since)
      const data = { violationId, ...about(no), ...fact.data }
      facts.push({ type: fact.type, at: fact.at, companyId: companyOf(no), data } as NewFact)
    },
  }
}

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

function grow(verdicts: Verdicts, devices: number): void {
  if (devices <= verdicts.devices) return
  const room = Math.max(devices, verdicts.devices * 2)
  const larger = emptyVerdicts(room)
  for (const name of ['status', 'temperature', 'humidity', 'thermometer', 'hygrometer'] as const) {
    const to = larger[name] as Record<string, unknown>
    for (const [column, from] of Object.entries(verdicts[name])) {
      const target = to[column]
      if (target instanceof Float64Array || target instanceof Uint8Array) target.set(from as Uint8Array)
      else to[column] = from
    }
    Object.assign(verdicts[name], to)
  }
  verdicts.devices = room
}
