import {
  MOST_MORE_ASIDE,
  type ObservationRow,
  type ObservationsAside,
} from '#machines/contracts/entities/devices.ts'
import {
  createReadings,
  ON_TIME,
  pushReading,
  type ReadingColumns,
  type ReadingField,
  toUnits,
} from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import { observationsRangeFault } from '#machines/rules/date-range.ts'
import { NOWHERE } from '#machines/rules/nearest-place.ts'
import { knownPlaces } from '../../data/places.ts'
import type { Cut } from '../../read-models/cut.ts'
import type { AsideReading } from '../../store/aside.ts'
import { createCutOf, deviceAt, historyAt } from './as-of.ts'
import type { HttpContext } from './context.ts'
import { damagedWithin } from './history-answer.ts'
import { jsonRows } from './json-rows.ts'
import { createKeptHistory, firstKept } from './kept-history.ts'
import { ApiError } from './refusals.ts'

type Interval = { startDate: number; endDate: number }

type Deps = Pick<
  HttpContext,
  'answerCall' | 'visible' | 'store' | 'lastWords' | 'readModels' | 'clock' | 'past'
>

/** Readings kept aside in one answer at most. */
const MOST_ASIDE = 200
/** A reading is held up to so long ahead of its time, ms. */
const MOST_AHEAD = 24 * 3_600_000
/** What is dropped of a reading is said with these words. */
const DROPPED = / is out of range$/
/** And what is refused for its time. */
const WRONG_TIME = /^its time is /

/** The observation tables: every reading of one device, in words. */
export function observationRoutes(deps: Deps): void {
  const { answerCall, visible, readModels } = deps
  const history = createKeptHistory(deps)
  const cutOf = createCutOf(deps)

  async function rows(
    device: Device,
    { startDate, endDate }: Interval,
    named: { name?: string },
    cut: Cut | undefined,
  ) {
    const fault = observationsRangeFault(startDate, endDate)
    if (fault !== undefined) throw new ApiError(400, fault)
    const columns = await historyAt(history, cut)(device, startDate, endDate + 1)
    const location = locations(columns)
    return jsonRows(columns.length, (i) => rowAt(columns, i, device.imei, named, location(i)))
  }

  answerCall('observationsLogs', async ({ params, query, visitor, reply }) => {
    const device = visible.device(visitor, params.imei)
    const cut = await cutOf(query, visitor)
    reply.type('application/json')
    return rows(device, query.data, {}, cut)
  })

  answerCall('observationsAside', async ({ params, query, visitor }) => {
    const device = visible.device(visitor, params.imei)
    return besideOf(deps, device, query.data, await cutOf(query, visitor))
  })

  answerCall('tempObservationsLogs', async ({ params, query, visitor, reply }) => {
    const device = visible.device(visitor, params.id)
    const cut = await cutOf(query, visitor)
    const { name } = deviceAt(cut, device, readModels, visitor)
    reply.type('application/json')
    return rows(device, query.data, { name }, cut)
  })
}

/** What the table of a device and time leaves out. */
async function besideOf(
  deps: Deps,
  device: Device,
  { startDate, endDate }: Interval,
  cut: Cut | undefined,
): Promise<ObservationsAside> {
  const { store, lastWords, clock } = deps
  const { no } = device
  const { imei } = cut?.directory.devices[no] ?? device
  const fault = observationsRangeFault(startDate, endDate)
  if (fault !== undefined) throw new ApiError(400, fault)
  const now = cut?.at ?? clock.now()
  // what is held is of times to come
  const end = endDate < now - ON_TIME ? endDate : Math.max(endDate, now + MOST_AHEAD)
  // what the company does not keep any more is not shown, whether it is dropped by now or not
  const from = Math.max(startDate, firstKept(deps, device))
  const counted = MOST_ASIDE + MOST_MORE_ASIDE
  const span = { device: no, from, to: end + 1 }
  const { last, all } = await store.aside.lastOf(span, cut === undefined ? MOST_ASIDE : counted, counted)
  const known = cut === undefined ? last : last.flatMap((one) => asideAt(one, cut) ?? [])
  const shown = known.slice(-MOST_ASIDE)
  const others = shown.filter(({ kind }) => kind === 'other').map(({ reading }) => reading.at)
  const columns = await store.telemetry.history(
    no,
    Math.min(...others, end),
    Math.max(...others, startDate) + 1,
  )
  const words = locations(columns)
  const rows = new Map(Array.from(columns.at.subarray(0, columns.length), (at, i) => [at, i]))
  const iso = (at: number): string => new Date(at).toISOString()
  const until = Math.min(end, cut?.at ?? end)
  const refusedFor = (why: RegExp) =>
    lastWords
      .of(no)
      .filter(({ at, reason }) => why.test(reason) && at >= startDate && at <= until)
      .map(({ at, reason, times }) => ({ at: iso(at), reason, times }))
  return {
    aside: shown.map(({ kind, receivedAt, reading }) => {
      const one = createReadings(1)
      pushReading(one, reading)
      const counting = kind === 'other' ? rows.get(reading.at) : undefined
      return {
        kind,
        receivedAt: iso(receivedAt),
        row: rowAt(one, 0, imei, {}, locations(one)(0)),
        ...(counting !== undefined && { counted: rowAt(columns, counting, imei, {}, words(counting)) }),
      }
    }),
    more: (cut === undefined ? all : known.length) - shown.length,
    dropped: refusedFor(DROPPED),
    refused: refusedFor(WRONG_TIME),
    droppedSince: iso(lastWords.since),
    ...damagedWithin(store, no, startDate, endDate),
  }
}

/** A reading that is kept aside as of a time: what had not come then, or is of later, is not there; until its time came it was held. */
function asideAt(one: AsideReading, { at, view }: Cut): AsideReading | undefined {
  if (view === 'now') return one.reading.at <= at ? one : undefined
  if (one.receivedAt > at) return undefined
  return one.kind !== 'other' && one.reading.at > at ? { ...one, kind: 'held' } : one
}

function rowAt(
  columns: ReadingColumns,
  i: number,
  imei: string,
  named: { name?: string },
  location: string,
): ObservationRow {
  const measured = (field: ReadingField) => toUnits(field, columns[field][i] as number) ?? null
  return {
    imei,
    ...named,
    temperature: measured('temperature'),
    humidity: measured('humidity'),
    timestamp: new Date(columns.at[i] as number).toISOString(),
    lat: measured('lat'),
    lng: measured('lng'),
    GSM_Signal: measured('gsmSignal'),
    GNSS_Status: measured('gnssStatus'),
    External_Voltage: measured('externalVoltage'),
    Battery_Voltage: measured('batteryVoltage'),
    Ignition: measured('ignition'),
    Unplug: measured('unplug'),
    Door: measured('door'),
    location,
  }
}

/** Where row `i` was, in words; one that stands is looked up once. */
function locations(columns: ReadingColumns): (i: number) => string {
  const places = knownPlaces()
  let last = -1
  let words = NOWHERE
  return (i) => {
    if (last < 0 || columns.lat[i] !== columns.lat[last] || columns.lng[i] !== columns.lng[last]) {
      const lat = toUnits('lat', columns.lat[i] as number) ?? Number.NaN
      const lng = toUnits('lng', columns.lng[i] as number) ?? Number.NaN
      words = places.words(lat, lng)
    }
    last = i
    return words
  }
}
