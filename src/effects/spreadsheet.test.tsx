import { expect, test } from 'vitest'
import { rowAt } from '#machines/observation-search/observation-search.samples.ts'
import { makeSpreadsheet } from './spreadsheet.ts'

const order = {
  hasName: false,
  timeZone: 'Asia/Karachi',
  rows: Array.from({ length: 100_000 }, () => rowAt(0)),
}

test('a worker makes the file of 100,000 rows it was handed in parts, and tells how far it is', async () => {
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
