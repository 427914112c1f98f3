import { type ReadingColumns, type ReadingField, toUnits } from '#machines/contracts/readings.ts'
import { NOWHERE } from '#machines/rules/nearest-place.ts'
import { knownPlaces } from '../../../data/places.ts'
import { ReportFault } from '../order.ts'
import type { Making } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const COLUMNS: readonly Column[] = [
  { heading: 'Imei', width: 18, as: 'text' },
  { heading: 'Name', width: 22, as: 'text' },
  { heading: 'Temperature (°C)', width: 13, as: 'two' },
  { heading: 'Humidity (%)', width: 11, as: 'two' },
  { heading: 'Timestamp', width: 20, as: 'time' },
  { heading: 'LatLng', width: 22, as: 'text' },
  { heading: 'GSM_Signal (0–5)', width: 12, as: 'whole' },
  { heading: 'GNSS_Status', width: 13, as: 'whole' },
  { heading: 'External_Voltage (V)', width: 17, as: 'three' },
  { heading: 'Battery_Voltage (V)', width: 16, as: 'three' },
  { heading: 'Ignition (0/1)', width: 10, as: 'whole' },
  { heading: 'Unplug (0/1)', width: 10, as: 'whole' },
  { heading: 'Door (0/1)', width: 10, as: 'whole' },
  { heading: 'Location', width: 34, as: 'text' },
]

/** What a spreadsheet program still opens, with patience and three sheets. */
const MOST_ROWS = 3_000_000

/**
 * Every reading, as the observation tables show them. They are written as they are read: there may be millions.
 * @throws ReportFault, as the rows are asked for, where there are more than can be opened
 */
export function observationTables(making: Making): Table[] {
  async function* rows() {
    let written = 0
    for await (const { device, readings } of making.devices()) {
      written += readings.length
      if (written > MOST_ROWS)
        throw new ReportFault(
          'It would have more than 3,000,000 rows. Please choose fewer devices or a shorter time.',
        )
      const placeOf = places(readings)
      for (let i = 0; i < readings.length; i++) {
        const value = (field: ReadingField): Value => toUnits(field, readings[field][i] as number)
        const { latLng, location } = placeOf(i)
        yield [
          device.imei,
          device.name,
          value('temperature'),
          value('humidity'),
          readings.at[i],
          latLng,
          value('gsmSignal'),
          value('gnssStatus'),
          value('externalVoltage'),
          value('batteryVoltage'),
          value('ignition'),
          value('unplug'),
          value('door'),
          location,
        ]
      }
    }
  }
  return [{ name: 'Observations', columns: COLUMNS, rows: rows() }]
}

/** Where row `i` was; one that stands is looked up once. */
function places({ lat, lng }: ReadingColumns) {
  const known = knownPlaces()
  let [lastLat, lastLng] = [Number.NaN, Number.NaN]
  let words = { latLng: '', location: NOWHERE }
  return (i: number) => {
    if (lat[i] === lastLat && lng[i] === lastLng) return words
    lastLat = lat[i] as number
    lastLng = lng[i] as number
    const [degreesN, degreesE] = [toUnits('lat', lastLat), toUnits('lng', lastLng)]
    words =
      degreesN === undefined || degreesE === undefined
        ? { latLng: '', location: NOWHERE }
        : { latLng: `${degreesN}, ${degreesE}`, location: known.words(degreesN, degreesE) }
    return words
  }
}
