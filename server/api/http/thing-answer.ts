import { statusOf } from '#machines/contracts/device-state.ts'
import type { HistoryPoint, Thing } from '#machines/contracts/entities/devices.ts'
import { type ReadingColumns, type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import type { Device, Directory } from '#machines/projections/directory.ts'
import type { Latest } from '#machines/projections/latest.ts'

/** A device with its newest reading, in the documents' fields. The documents name several things twice; so does this. */
export function thingAnswer(directory: Directory, latest: Latest, device: Device): Thing {
  const { no, imei, name, plateNumber, vehicleMakeAndModel, type, groupId, version } = device
  const group = groupId === null ? undefined : directory.groups.get(groupId)
  const measured = (field: ReadingField) => (no < latest.size ? valueAt(latest.readings, field, no) : null)
  const lat = measured('lat')
  const lng = measured('lng')
  const temperature = measured('temperature')
  const humidity = measured('humidity')
  const at = latest.readings.at[no] ?? 0
  const status = statusOf(latest.state[no] ?? STATE_OF_NOBODY)
  return {
    _id: imei,
    imei,
    name,
    thingName: name,
    plateNumber,
    vehicleMakeAndModel,
    type,
    thingStatus: status,
    vehicleStatus: status,
    groupId,
    group: group === undefined ? null : { _id: group._id, name: group.name },
    groupName: group?.name ?? '',
    lastLat: lat,
    lastLng: lng,
    lastTemp: temperature,
    lastHum: humidity,
    lat,
    lng,
    temperature,
    temperature2: measured('temperature2'),
    humidity,
    milage: Math.round((latest.odometer[no] ?? 0) * 10) / 10,
    angle: measured('heading'),
    timestamp: at > 0 ? new Date(at).toISOString() : null,
    lastLocation: lat === null || lng === null ? null : { lat, lng },
    version: String(version),
  }
}

/** Row `i` as a point of a history. */
export const pointAt = (columns: ReadingColumns, i: number): HistoryPoint => ({
  dateTime: new Date(columns.at[i] as number).toISOString(),
  temperature: valueAt(columns, 'temperature', i),
  humidity: valueAt(columns, 'humidity', i),
  lat: valueAt(columns, 'lat', i),
  lng: valueAt(columns, 'lng', i),
  door: valueAt(columns, 'door', i),
})

const STATE_OF_NOBODY = 2

const valueAt = (columns: ReadingColumns, field: ReadingField, i: number): number | null =>
  toUnits(field, columns[field][i] as number) ?? null
