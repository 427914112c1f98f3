import { expect, test } from 'vitest'
import { makeSpreadsheet } from './spreadsheet.ts'

const order = {
  hasName: false,
  timeZone: 'Asia/Karachi',
  rows: Array.from({ length: 100_000 }, () => ({
    imei: '350000000000001',
    temperature: 4.25,
    humidity: 55.5,
    timestamp: '2026-11-21T09:05:06.000Z',
    lat: 31.5204,
    lng: 74.3587,
    GSM_Signal: 4,
    GNSS_Status: 1,
    External_Voltage: 12.61,
    Battery_Voltage: 4.01,
    Ignition: 1,
    Unplug: 0,
    location: '12 km NE of Multan',
  })),
}

test('a worker makes the file of 100,000 rows it was handed in parts, and tells how far it is', {
  timeout: 60_000,
}, async () => {
  const written: number[] = []
  const file = await makeSpreadsheet(order, (rows) => written.push(rows), new AbortController().signal)
  expect(written.slice(0, 3)).toEqual([0, 2000, 4000])
  expect(written.at(-1)).toBe(100_000)
  expect(file.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(await file.slice(0, 2).text()).toBe('PK')
})

test('called off, it ends at once', async () => {
  const aborter = new AbortController()
  const made = makeSpreadsheet(order, () => {}, aborter.signal)
  aborter.abort()
  await expect(made).rejects.toThrow('The file was called off')
})
