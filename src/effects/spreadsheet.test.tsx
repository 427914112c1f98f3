import { expect, test } from 'vitest'
import { makeSpreadsheet } from './spreadsheet.ts'

const order = {
  hasName: false,
  timeZone: 'Asia/Karachi',
  rows: Array.from({ length: 6000 }, () => ({
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

test('a worker makes the file of all parts it was handed, and tells how far it is', async () => {
  const written: number[] = []
  const file = await makeSpreadsheet(order, (rows) => written.push(rows), new AbortController().signal)
  expect(written).toEqual([0, 2000, 4000, 6000])
  expect(file.type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
  expect(await file.slice(0, 2).text()).toBe('PK')
})

test('called off, it ends at once', async () => {
  const aborter = new AbortController()
  const made = makeSpreadsheet(order, () => {}, aborter.signal)
  aborter.abort()
  await expect(made).rejects.toThrow('The file was called off')
})
