import { Readable } from 'node:stream'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { type ReadingColumns, type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import { observationsRangeFault } from '#machines/rules/date-range.ts'
import { NOWHERE } from '#machines/rules/nearest-place.ts'
import { knownPlaces } from '../../data/places.ts'
import type { HttpContext } from './context.ts'
import { jsonRows } from './json-rows.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'

type Interval = { startDate: number; endDate: number }

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'store' | 'readModels' | 'clock'>

/** The observation tables: every reading of one device, in words. */
export function observationRoutes(deps: Deps): void {
  const { answerCall, visible } = deps
  const history = createKeptHistory(deps)
  async function rows(device: Device, { startDate, endDate }: Interval, named: { name?: string }) {
    const fault = observationsRangeFault(startDate, endDate)
    if (fault !== undefined) throw new ApiError(400, fault)
    const columns = await history(device, startDate, endDate + 1)
    const location = locations(columns)
    return Readable.from(jsonRows(columns.length, (i) => rowAt(columns, i, device.imei, named, location(i))))
  }

  answerCall('observationsLogs', ({ params, query, visitor, reply }) => {
    reply.type('application/json')
    return rows(visible.device(visitor, params.imei), query.data, {})
  })

  answerCall('tempObservationsLogs', ({ params, query, visitor, reply }) => {
    const device = visible.device(visitor, params.id)
    reply.type('application/json')
    return rows(device, query.data, { name: device.name })
  })
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
