import { type ReadingColumns, type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import type { ThingStatus } from '#machines/contracts/scalars.ts'
import * as deviceStatus from '#machines/device-status/fold.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { devicesWithLastWord, newestRow } from './last-word.ts'
import { limitsAt } from './limits-in-force.ts'
import { type Making, placeAt, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const STATUS: readonly Column[] = [
  { heading: 'Status', width: 13, as: 'text' },
  { heading: 'Last reading', width: 20, as: 'time' },
  { heading: 'Silent for (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'Place reported at', width: 20, as: 'time' },
  { heading: 'Speed (km/h)', width: 10, as: 'one' },
  { heading: 'Ignition', width: 9, as: 'text' },
  { heading: 'Temperature (°C)', width: 13, as: 'two' },
  { heading: 'Temperature is', width: 14, as: 'text' },
  { heading: 'Humidity (%)', width: 11, as: 'two' },
  { heading: 'External voltage (V)', width: 12, as: 'two' },
  { heading: 'Battery voltage (V)', width: 12, as: 'two' },
]

const WORDS: Readonly<Record<ThingStatus, string>> = {
  online: 'Online',
  offline: 'Offline',
  disconnected: 'Disconnected',
}

/**
 * How each device stood when the time asked for ended: a row a device. Values are the newest received, if not longer before
 * the last reading than a gap: what a device no longer tells is empty.
 */
export async function statusTables(making: Making): Promise<Table[]> {
  const { starts, gapMs, limitsInForce } = making
  const end = starts.at(-1) as number
  const rows: Value[][] = []
  for await (const { device, readings } of devicesWithLastWord(making)) {
    const status = WORDS[statusAtEnd(readings, end, making.source.violations.patienceSeconds * 1000)]
    if (readings.length === 0) {
      rows.push([...which(device), status])
      continue
    }
    const last = readings.at[readings.length - 1] as number
    const newest = (field: ReadingField): number | undefined => {
      const row = newestRow(readings, field, last - gapMs)
      return row < 0 ? undefined : toUnits(field, readings[field][row] as number)
    }
    const place = newestRow(readings, 'lat')
    const temperature = newest('temperature')
    const ignition = newest('ignition')
    rows.push([
      ...which(device),
      status,
      last,
      Math.max(0, end - last),
      place < 0 ? null : placeAt(readings, place),
      place < 0 ? null : readings.at[place],
      newest('speed'),
      ignition === undefined ? null : ignition === 1 ? 'On' : 'Off',
      temperature,
      temperature === undefined
        ? null
        : against(temperature, limitsInForce.ofDevice(device.no).temperature, end),
      newest('humidity'),
      newest('externalVoltage'),
      newest('batteryVoltage'),
    ])
  }
  return [{ name: 'Devices', columns: [...WHICH, ...STATUS], rows }]
}

/** The status as the dashboard has it, of what was heard by then. */
function statusAtEnd({ length, at, unplug }: ReadingColumns, end: number, patience: number): ThingStatus {
  const columns = deviceStatus.createDeviceStatusColumns(1)
  for (let i = 0; i < length; i++)
    deviceStatus.foldReading(
      columns,
      0,
      at[i] as number,
      at[i] as number,
      unplug[i] as number,
      patience,
      nobody,
    )
  deviceStatus.foldTimePassed(columns, 0, end, patience, nobody)
  return deviceStatus.statusAt(columns.place[0] as number)
}

const nobody = (): void => {}

/** By the limits in force at an instant; nothing where there are none. */
function against(celsius: number, limits: readonly LimitsSince[], at: number): string | null {
  const now = limitsAt(limits, at)
  if (now === undefined || (Number.isNaN(now.low) && Number.isNaN(now.high))) return null
  if (celsius > now.high) return 'Too warm'
  return celsius < now.low ? 'Too cold' : 'Within limits'
}
