import type { NewFact } from '#machines/contracts/facts.ts'
import {
  createReadings,
  pushReading,
  type Reading,
  type ReadingColumns,
} from '#machines/contracts/readings.ts'

export const START = Date.UTC(2026, 0, 15, 8)
export const imeiOf = (no: number): string => String(350_000_000_000_000 + no)

export function columnsOf(rows: Reading[]): ReadingColumns {
  const columns = createReadings(Math.max(1, rows.length))
  for (const row of rows) pushReading(columns, row)
  return columns
}

/**
 * One company with one group and so many devices: 2 to 8 °C and 30 to 80 % with two minutes of delay, back by 0.5 °C or
 * 2 %, ten minutes of patience.
 */
export function smallHouse(devices: number): NewFact[] {
  const registered = Array.from(
    { length: devices },
    (_, no): NewFact => ({
      type: 'device.registered',
      at: START,
      companyId: 'c',
      data: {
        no,
        imei: imeiOf(no),
        companyId: 'c',
        groupId: 'g',
        name: `Truck ${no}`,
        plateNumber: '',
        vehicleMakeAndModel: '',
        type: 'vehicle',
        source: 'world',
      },
    }),
  )
  return [COMPANY, GROUP, ...registered]
}

const COMPANY: NewFact = {
  type: 'company.registered',
  at: START,
  companyId: 'c',
  data: {
    companyId: 'c',
    name: 'Indus',
    bam: null,
    partner: null,
    deviceKeyHash: null,
    timeZone: 'Asia/Karachi',
    patienceSeconds: 600,
    violationDelaySeconds: 120,
    clearMarginTemperature: 0.5,
    clearMarginHumidity: 2,
    tmin: -30,
    tmax: 70,
    hmin: 0,
    hmax: 100,
  },
}
const GROUP: NewFact = {
  type: 'group.created',
  at: START,
  companyId: 'c',
  data: {
    groupId: 'g',
    companyId: 'c',
    parentId: null,
    name: 'Top',
    description: '',
    lowTemperatureThreshold: 2,
    highTemperatureThreshold: 8,
    lowHumidityThreshold: 30,
    highHumidityThreshold: 80,
  },
}
