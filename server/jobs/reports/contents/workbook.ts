import { strFromU8, unzipSync } from 'fflate'
import writeExcelFile, { type Cell, type SheetData } from 'write-excel-file/universal'
import type { LocalTime } from './local-time.ts'
import { type Column, columnLetters, createRowWriter, FORMATS, type Value } from './sheet-xml.ts'
import { type Entry, startEntry, zipOf } from './zip.ts'

/** One table: rows come some at a time when asked for, so that they need not all fit into memory. */
export type Table = {
  name: string
  columns: readonly Column[]
  rows: Iterable<readonly Value[]> | AsyncIterable<readonly Value[]>
}

/** A line of the cover; what is a time (epoch ms) says so. */
export type CoverLine = readonly (string | number | { time: number } | null)[]
/** `table`: its first line is a heading of columns. */
export type CoverPart = { heading?: string; lines: readonly CoverLine[]; isTable?: boolean }

/** `pause`: awaited now and then, so that others get their turn; whoever wants it to stop rejects there. */
type Options = { pause?: () => Promise<void>; rowsASheet?: number }

/** A sheet takes 1,048,576 rows; what is more goes on in a further one. */
const ROWS_A_SHEET = 1_000_000
/** XML gathered before it is compressed, characters */
const PIECE = 1 << 17
/** On paper a table is as wide as the page. */
const FITS = '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
const PRINTED = '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>'
const INK = '#12212B'
const HEAD = {
  fontWeight: 'bold',
  backgroundColor: '#E3EBF0',
  textColor: INK,
  wrap: true,
  alignVertical: 'top',
} as const
const COVER_WIDTHS = [30, 22, 18, 18, 18, 18, 18]

/**
 * Bytes of an `.xlsx`: a cover, then each table with its first row frozen and a filter over it. The library writes all
 * but the rows of tables, which it wants as objects all at once: they are written here, a piece at a time. The same
 * content gives the same bytes.
 */
export async function writeWorkbook(
  title: string,
  cover: readonly CoverPart[],
  tables: readonly Table[],
  local: LocalTime,
  { pause = async () => {}, rowsASheet = ROWS_A_SHEET }: Options = {},
): Promise<Uint8Array> {
  const first = await frameOf(title, cover, tables, local)
  const sheets: { name: string; columns: readonly Column[] }[] = []
  const entries: Entry[] = []
  for (const [i, { name, columns, rows }] of tables.entries()) {
    const frame = splitSheet(first.get(sheetPath(i + 2)) as string)
    const writeRow = createRowWriter(columns, frame.styles, local)
    const last = columnLetters(columns.length - 1)
    let [xml, row, part] = [frame.head, 1, 1]
    const start = () => {
      sheets.push({ name: part === 1 ? name : `${name} (${part})`, columns })
      return startEntry(sheetPath(sheets.length + 1))
    }
    let entry = start()
    const finish = () =>
      entries.push(entry.end(`${xml}</sheetData><autoFilter ref="A1:${last}${row}"/>${PRINTED}</worksheet>`))
    for await (const values of rows) {
      if (row > rowsASheet) {
        finish()
        part++
        ;[xml, row, entry] = [frame.head, 1, start()]
      }
      row++
      xml += writeRow(row, values)
      if (xml.length < PIECE) continue
      entry.write(xml)
      xml = ''
      await pause()
    }
    finish()
  }
  const whole = sheets.length === tables.length ? first : await frameOf(title, cover, sheets, local)
  const written = new Map(entries.map((entry) => [entry.file.filename, entry]))
  return zipOf([...whole].map(([path, xml]) => written.get(path) ?? startEntry(path).end(xml)))
}

const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`

/** All files of a workbook whose tables have a heading and one row, which is a pattern of their styles. */
async function frameOf(
  title: string,
  cover: readonly CoverPart[],
  tables: readonly { name: string; columns: readonly Column[] }[],
  local: LocalTime,
): Promise<Map<string, string>> {
  const sheets = tables.map(({ name, columns }) => ({
    sheet: name,
    stickyRowsCount: 1,
    columns: columns.map(({ width }) => ({ width })),
    data: [
      columns.map(
        ({ heading, as }): Cell => ({
          value: heading,
          type: String,
          height: headingHeight(columns),
          ...HEAD,
          ...sideOf(as),
        }),
      ),
      columns.map(({ as }): Cell => {
        const format = FORMATS[as]
        return { value: 0, type: Number, ...(format && { format }), ...sideOf(as) }
      }),
    ],
  }))
  const report = {
    sheet: 'Report',
    showGridLines: false,
    columns: COVER_WIDTHS.map((width) => ({ width })),
    data: coverData(title, cover, local),
  }
  const blob = await writeExcelFile([report, ...sheets], { fontFamily: 'Calibri', fontSize: 11 }).toBlob()
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  return new Map(Object.entries(files).map(([path, bytes]) => [path, mended(path, strFromU8(bytes))]))
}

/** Figures stand at the right; times and texts at the left, off the figures before them. */
const sideOf = (as: Column['as']) =>
  as === 'text' || as === 'time' || as === 'date'
    ? ({ align: 'left', indent: 1 } as const)
    : ({ align: 'right' } as const)

/** Room for the longest heading in the lines it takes, pt: a spreadsheet does not make any by itself. */
function headingHeight(columns: readonly Column[]): number {
  const lines = columns.map(({ heading, width }) => {
    let [count, used] = [1, 0]
    for (const { length } of heading.split(' ')) {
      if (used > 0 && used + 1 + length > width - 2) [count, used] = [count + 1, length]
      else used += (used > 0 ? 1 : 0) + length
    }
    return count
  })
  return 4 + 15 * Math.max(...lines)
}

/** The library names the wrong pane as active where only rows are frozen, writes an empty list of names, and fits nothing to paper. */
function mended(path: string, xml: string): string {
  if (path === 'xl/workbook.xml') return xml.replace('<definedNames/>', '')
  return xml
    .replace('<sheetViews>', `${FITS}<sheetViews>`)
    .replace(' xSplit="0"', '')
    .replace('activePane="bottomRight"', 'activePane="bottomLeft"')
}

/** What stands before the pattern row, and the styles of its cells. */
function splitSheet(xml: string): { head: string; styles: number[] } {
  const at = xml.indexOf('<row r="2"')
  if (at < 0) throw new Error('the frame of a sheet has no pattern row')
  const pattern = xml.slice(at, xml.indexOf('</row>', at))
  return {
    head: xml.slice(0, at),
    styles: Array.from(pattern.matchAll(/ s="(\d+)"/g), ([, style]) => Number(style)),
  }
}

function coverData(title: string, cover: readonly CoverPart[], local: LocalTime): SheetData {
  const text = (value: string): Cell => ({ value, type: String })
  const cell = (value: CoverLine[number]): Cell => {
    if (value === null) return null
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return { value, type: Number, align: 'left' }
    return { value: local.serial(value.time), type: Number, format: FORMATS.time, align: 'left' }
  }
  const data: SheetData = [[{ value: title, type: String, fontSize: 18, fontWeight: 'bold', textColor: INK }]]
  for (const { heading, lines, isTable = false } of cover) {
    data.push([])
    if (heading !== undefined)
      data.push([{ value: heading, type: String, fontSize: 13, fontWeight: 'bold', textColor: INK }])
    for (const [i, [label, ...values]] of lines.entries()) {
      if (isTable && i === 0)
        data.push(
          [label, ...values].map((value): Cell => ({ value: String(value ?? ''), type: String, ...HEAD })),
        )
      else if (isTable) data.push([label ?? null, ...values].map(cell))
      else data.push([{ value: String(label ?? ''), type: String, fontWeight: 'bold' }, ...values.map(cell)])
    }
  }
  return data
}
