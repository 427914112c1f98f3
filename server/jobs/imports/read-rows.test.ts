import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { IMPORT_COLUMNS, IMPORT_LINES } from '#machines/contracts/entities/device-records.ts'
import { type Line, readRows } from './read-rows.ts'

const lineOf = (n: number): string[] => [
  String(490_154_203_200_000 + n),
  `Reefer ${n} of the northern fleet`,
  `LES-${n}`,
  'vehicle',
  'Hino 500 Series FM8J',
  'North / Punjab / Lahore Depot',
  '2027-03-31',
  'UTC+05:00',
]

/** A list of so many devices as spreadsheets write it: each text once, and a cell names its number. */
function workbookOf(devices: number): Uint8Array {
  const lines = [[...IMPORT_COLUMNS], ...Array.from({ length: devices }, (_, n) => lineOf(n))]
  const numbers = new Map<string, number>()
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  const rows = lines.map((cells, row) => {
    const columns = cells.map(
      (text, i) => `<c r="${'ABCDEFGH'[i]}${row + 1}" s="1" t="s"><v>${numberOf(text)}</v></c>`,
    )
    return `<row r="${row + 1}" spans="1:8" x14ac:dyDescent="0.25">${columns.join('')}</row>`
  })
  const texts = Array.from(numbers.keys(), (text) => `<si><t>${text}</t></si>`)
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = {
    'xl/_rels/workbook.xml.rels': `<Relationships>${[
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'sharedStrings', 'sharedStrings.xml'],
    ]
      .map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets><sheet name="Devices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>`,
  }
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])), {
    level: 1,
  })
}

test('the longest list of devices is read as a workbook', async () => {
  let last: Line | undefined
  for await (const line of readRows(workbookOf(IMPORT_LINES))) last = line
  expect(last).toEqual({ line: IMPORT_LINES + 1, cells: lineOf(IMPORT_LINES - 1) })
})

test('a workbook of some kilobytes that is much larger once unpacked is refused before it is unpacked', async () => {
  const bytes = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(65 * 1024 * 1024) }, { level: 9 })
  expect(bytes.length).toBeLessThan(100_000)
  await expect(readRows(bytes).next()).rejects.toThrow('The workbook is too large once it is unpacked')
})
