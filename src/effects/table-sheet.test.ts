import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { tableSheet } from './table-sheet.ts'

test('numbers are numbers with their unit in the heading, times are of the named zone, text is text', async () => {
  const file = await tableSheet({
    name: 'Devices',
    timeZone: 'Asia/Karachi',
    columns: [
      { title: 'Name', kind: 'text', width: 20 },
      { title: 'Temperature', kind: { decimals: 1, unit: '°C' }, width: 12 },
      { title: 'Updated', kind: 'time', width: 20 },
    ],
    rows: [
      ['=1+1', -4.25, Date.UTC(2026, 10, 21, 9, 5, 6)],
      ['Reefer', null, null],
    ],
  })
  const [sheet] = await readXlsxFile(Buffer.from(await file.arrayBuffer()))
  expect(sheet?.sheet).toBe('Devices')
  expect(sheet?.data).toEqual([
    ['Name', 'Temperature (°C)', 'Updated (Asia/Karachi)'],
    ['=1+1', -4.25, new Date('2026-11-21T14:05:06.000Z')],
    ['Reefer', null, null],
  ])
})
