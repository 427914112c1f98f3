import { strFromU8, unzipSync } from 'fflate'
import readExcelFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { createLocalTime } from './local-time.ts'
import type { Column, Value } from './sheet-xml.ts'
import { writeWorkbook } from './workbook.ts'

const COLUMNS: Column[] = [
  { heading: 'Name', width: 22, as: 'text' },
  { heading: 'Temperature (°C)', width: 10, as: 'two' },
  { heading: 'Time', width: 20, as: 'time' },
  { heading: 'Lasted (h:mm:ss)', width: 12, as: 'hours' },
]
const at = Date.parse('2026-11-21T18:59:59.500Z')
const berlin = createLocalTime('Europe/Berlin')

const write = (rows: Value[][], rowsASheet?: number) =>
  writeWorkbook(
    'A Report',
    [
      {
        heading: 'About',
        lines: [
          ['From', { time: at }],
          ['Group', '=1+1'],
        ],
      },
    ],
    [{ name: 'Rows', columns: COLUMNS, rows }],
    berlin,
    rowsASheet === undefined ? {} : { rowsASheet },
  )
const read = async (bytes: Uint8Array) => readExcelFile(Buffer.from(bytes))
const part = (bytes: Uint8Array, path: string) => strFromU8(unzipSync(bytes)[path] as Uint8Array)

test('holds typed cells: texts that look like formulas are texts, times are dates of the zone', async () => {
  const names = [
    '=HYPERLINK("http://x")',
    '+92 300',
    '-18',
    '@sum',
    'a & <b> "c"',
    '  _x0041_ ',
    'Kühlwagen\u0007 لاہور',
    '\ud800x',
  ]
  const sheets = await read(await write(names.map((name) => [name, -18.25, at, 90 * 60_000])))
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['Report', 'Rows'])
  const rows = sheets[1]?.data ?? []
  expect(rows[0]).toEqual(COLUMNS.map(({ heading }) => heading))
  expect(rows.slice(1).map(([name]) => name)).toEqual([
    ...names.slice(0, 5),
    expect.stringContaining('x0041_'),
    'Kühlwagen لاہور',
    '\ufffdx',
  ])
  expect(rows[1]?.[1]).toBe(-18.25)
  expect(Number(rows[1]?.[2])).toBeCloseTo(Date.parse('2026-11-21T19:59:59.500Z'), -1)
  expect(Number(rows[1]?.[3])).toBe(Date.parse('1899-12-30T01:30:00Z'))
  expect(sheets[0]?.data).toContainEqual(
    ['Group', '=1+1', ...Array(5).fill(null)].slice(0, sheets[0]?.data[0]?.length),
  )
})

test('keeps the heading in sight, filters, and is as wide as what is in it', async () => {
  const sheet = part(await write([['a', 1, at, 1]]), 'xl/worksheets/sheet2.xml')
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
  expect(sheet).toContain('<autoFilter ref="A1:D2"/>')
  expect(sheet).toContain('<col min="1" max="1" width="22" customWidth="1"/>')
})

test('leaves cells empty where there is nothing', async () => {
  const [, rows] = await read(
    await write([
      ['a', null, undefined, Number.NaN],
      ['b', 0, at, 0],
    ]),
  )
  expect(rows?.data[1]).toEqual(['a', null, null, null])
  expect(rows?.data[2]?.slice(0, 2)).toEqual(['b', 0])
})

test('goes on in a further sheet when one is full', async () => {
  const rows = Array.from({ length: 7 }, (_, i): Value[] => [`row ${i}`, i])
  const sheets = await read(await write(rows, 3))
  expect(sheets.map(({ sheet, data }) => [sheet, data.slice(1).map(([name]) => name)]).slice(1)).toEqual([
    ['Rows', ['row 0', 'row 1', 'row 2']],
    ['Rows (2)', ['row 3', 'row 4', 'row 5']],
    ['Rows (3)', ['row 6']],
  ])
})

test('is the same to the byte, whenever it is written', async () => {
  const rows: Value[][] = [
    ['a', 1, at, 1],
    ['b', 2, at, 2],
  ]
  const [first, second] = [await write(rows), await write(rows)]
  expect(Buffer.compare(first, second)).toBe(0)
  expect(Buffer.from(first).subarray(10, 14).toString('hex')).toBe('00602100')
})

test('shows each hour of the day on which clocks go back', () => {
  const shown = ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'].map((iso) =>
    berlin.dateTime(Date.parse(iso)),
  )
  expect(shown).toEqual(['25-10-2026 02:30', '25-10-2026 02:30', '25-10-2026 03:30'])
})
