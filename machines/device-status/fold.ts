import type { ThingStatus } from '../contracts/scalars.ts'
import type { DeviceStatusEmitted } from './device-status.machine.ts'

/** Where a device is in the chart of device-status.machine.ts. */
export const PLACE = { neverHeard: 0, unplugged: 1, online: 2, offline: 3 } as const

/** device-status.machine.ts for every device at once: the same chart with its context as columns, row = device number. */
export type DeviceStatusColumns = { place: Uint8Array; heardAt: Float64Array }

export type Emit = (device: number, fact: DeviceStatusEmitted) => void

/** Columns of devices that were never heard: `heardAt` is `-Infinity`. */
export function createDeviceStatusColumns(devices: number): DeviceStatusColumns {
  return {
    place: new Uint8Array(devices),
    heardAt: new Float64Array(devices).fill(Number.NEGATIVE_INFINITY),
  }
}

/**
 * @param at,recordedAt the device's clock and when it was stored, epoch ms
 * @param unplug as READING_FIELDS has it: 1 without supply, 0 with, anything else says nothing
 * @param patience how long a silent device still counts as online, ms
 */
export function foldReading(
  columns: DeviceStatusColumns,
  device: number,
  at: number,
  recordedAt: number,
  unplug: number,
  patience: number,
  emit: Emit,
): void {
  const heard = Math.min(at, recordedAt)
  const before = columns.heardAt[device] as number
  if (!(heard > before)) return
  if (columns.place[device] === PLACE.online) {
    if (heard - before > patience) silence(columns, device, patience, emit)
    else if (unplug !== 1) {
      columns.heardAt[device] = heard
      return
    }
  }
  columns.heardAt[device] = heard
  const place = columns.place[device] as number
  const isUnplugged = unplug === 1 || (place === PLACE.unplugged && unplug !== 0)
  const now = isUnplugged ? PLACE.unplugged : recordedAt - heard <= patience ? PLACE.online : PLACE.offline
  columns.place[device] = now
  if (statusAt(place) !== statusAt(now))
    emit(device, changed(heard, statusAt(place), statusAt(now), place === PLACE.neverHeard))
}

/** Nobody said anything until `now`: whoever was silent beyond patience is offline. */
export function foldTimePassed(
  columns: DeviceStatusColumns,
  device: number,
  now: number,
  patience: number,
  emit: Emit,
): void {
  if (columns.place[device] === PLACE.online && now - (columns.heardAt[device] as number) > patience)
    silence(columns, device, patience, emit)
}

/** The status an operator sees. */
export function statusAt(place: number): ThingStatus {
  if (place === PLACE.online) return 'online'
  return place === PLACE.offline ? 'offline' : 'disconnected'
}

function silence(columns: DeviceStatusColumns, device: number, patience: number, emit: Emit): void {
  columns.place[device] = PLACE.offline
  emit(device, changed((columns.heardAt[device] as number) + patience, 'online', 'offline'))
}

function changed(at: number, from: ThingStatus, to: ThingStatus, isFirst = false): DeviceStatusEmitted {
  return {
    type: 'device-status.changed',
    at,
    data: { from, to, ...(isFirst && { isFirst: true as const }) },
  }
}
