import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { rowAt } from '#machines/observation-search/observation-search.samples.ts'
import { observationSheet } from './observation-sheet.ts'

const row = (more: Partial<ObservationRow> = {}): ObservationRow =>
  rowAt(0, { name: 'Reefer 1', timestamp: '2026-11-21T09:05:06.000Z', ...more })

async function read(rows: ObservationRow[], hasName = true, timeZone = 'Asia/Karachi') {
  const written: number[] = []
  const file = await observationSheet({ rows, hasName, timeZone }, (count) => written.push(count))
  const [sheet] = await readXlsxFile(Buffer.from(await file.arrayBuffer()))
  return { sheet: sheet?.sheet, cells: sheet?.data ?? [], written }
}

test('has the columns of the table, numbers as numbers and times as times of the zone', async () => {
  const { sheet, cells } = await read([row()])
  expect(sheet).toBe('Observation List')
  expect(cells).toEqual([
    [
      'Imei',
      'Name',
      'Temperature',
      'Humidity',
      'Timestamp',
      'LatLng',
      'GSM_Signal',
      'GNSS_Status',
      'External_Voltage',
      'Battery_Voltage',
      'Ignition',
      'Unplug',
      'Door',
      'Location',
    ],
    [
      '350000000000001',
      'Reefer 1',
      4.25,
      55.5,
      new Date('2026-11-21T14:05:06.000Z'),
      '31.520400, 74.358700',
      4,
      1,
      12.61,
      4.01,
      1,
      0,
      1,
      '12 km NE of Multan',
    ],
  ])
})

test('text stays text, whatever it begins with', async () => {
  const names = ['=1+1', '+92 300', '-5', '@SUM(A1)', '<b>&"', '007']
  const { cells } = await read(names.map((name) => row({ name })))
  expect(cells.slice(1).map((line) => line[1])).toEqual(names)
})

test('no number and no time becomes a formula: what is none makes no file', async () => {
  const formula = '=HYPERLINK("https://evil.example")' as unknown
  for (const field of ['temperature', 'humidity', 'timestamp', 'GSM_Signal', 'Ignition', 'lat'] as const) {
    const made = await read([row({ [field]: formula })]).then(
      ({ cells }) => JSON.stringify(cells[1]),
      () => 'no file',
    )
    expect(made, field).toBe('no file')
  }
})

test('what was not measured is empty, and the other table has no name', async () => {
  const nothing = { temperature: null, timestamp: null, lat: null, lng: null, Ignition: null }
  const { cells } = await read([row(nothing)], false)
  expect(cells[0]).not.toContain('Name')
  expect(cells[1]?.slice(0, 5)).toEqual(['350000000000001', null, 55.5, null, null])
})

test('across a change of the clocks each time is that of its wall', async () => {
  const hours = ['2026-11-01T05:59:59Z', '2026-11-01T06:00:00Z'].map((timestamp) => row({ timestamp }))
  const { cells } = await read(hours, true, 'America/New_York')
  expect(cells.slice(1).map((line) => line[4])).toEqual([
    new Date('2026-11-01T01:59:59Z'),
    new Date('2026-11-01T01:00:00Z'),
  ])
})

test('a long one says how far it is, up to its end', async () => {
  const { cells, written } = await read(Array.from({ length: 4500 }, () => row()))
  expect(cells).toHaveLength(4501)
  expect(written).toEqual([0, 2000, 4000, 4500])
})
