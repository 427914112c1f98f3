import { parse } from 'csv-parse'
import { unzipSync, zipSync } from 'fflate'
import { readSheet, type SheetData } from 'read-excel-file/node'

/** A line of the file: its number there, and its cells. */
export type Line = { line: number; cells: string[] }

/** The file cannot be read; the message is for whoever sent it. */
export class UnreadableFile extends Error {}

/**
 * Bytes that all parts of a workbook may have together once unpacked: a list of 100,000 lines takes about 45 MB. They are held four
 * times, beside the thread's heap.
 */
const UNPACKED_BYTES = 64 * 1024 * 1024
const CELLS_A_LINE = 100
const CELL_LENGTH = 2_100

/**
 * The lines of a CSV file or of the first sheet of an XLSX file, in order.
 * @throws UnreadableFile
 */
export async function* readRows(bytes: Uint8Array): AsyncGenerator<Line> {
  if (isZip(bytes)) yield* sheetRows(bytes)
  else yield* csvRows(bytes)
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

async function* csvRows(bytes: Uint8Array): AsyncGenerator<Line> {
  // one mark for the end of a line, so that lines are counted as editors count them
  const text = textOf(bytes).replaceAll(/\r\n?/g, '\n')
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: 64 * 1024,
  })
  parser.end(text)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>)
      yield { line: firstLineOf(record, info.lines), cells: record.slice(0, CELLS_A_LINE).map(cut) }
  } catch (error) {
    const { message, lines } = error as Error & { lines?: number }
    throw new UnreadableFile(
      lines === undefined
        ? `The CSV cannot be read: ${message}`
        : `Line ${lines} of the CSV cannot be read: ${message}`,
    )
  }
}

/** A record may go over several lines: it is named by its first. */
const firstLineOf = (record: string[], lastLine: number): number =>
  lastLine - record.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 0)

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // what older spreadsheets save as CSV
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Spreadsheets write commas, semicolons or tabs, by the country they run in: what the heading has most of. */
function delimiterOf(text: string): string {
  const heading = text.slice(0, Math.max(0, text.indexOf('\n')) || 1000)
  const count = (mark: string) => heading.split(mark).length
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
}

async function* sheetRows(bytes: Uint8Array): AsyncGenerator<Line> {
  const workbook = boundedWorkbook(bytes)
  let rows: SheetData<string>
  try {
    // numbers stay as they are written: an IMEI must not be rounded
    rows = await readSheet(workbook, { parseNumber: (text: string) => text })
  } catch (error) {
    throw new UnreadableFile(`The workbook cannot be read: ${(error as Error).message}`)
  }
  for (const [index, row] of rows.entries())
    yield { line: index + 1, cells: row.slice(0, CELLS_A_LINE).map((cell) => cut(cellText(cell))) }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  const text = String(cell)
  // as a workbook writes 350000000000001 that it holds as a number
  const exponent = /^\d(\.\d+)?E\+?(\d+)$/i.exec(text)
  if (exponent === null) return text
  const digits = (exponent[1] ?? '').length - 1
  return digits <= Number(exponent[2]) && Number.isSafeInteger(Number(text)) ? String(Number(text)) : text
}

const cut = (cell: string): string => cell.slice(0, CELL_LENGTH)

/**
 * The same workbook with what is needed of it, unpacked and bounded: what an entry says of its size is what it is given, so that a
 * few kilobytes cannot become gigabytes.
 */
function boundedWorkbook(bytes: Uint8Array): Buffer {
  let total = 0
  let parts: Record<string, Uint8Array>
  try {
    parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/\.(xml|rels)$/.test(name)) return false
        total += originalSize
        if (total > UNPACKED_BYTES)
          throw new UnreadableFile('The workbook is too large once it is unpacked: save it as CSV')
        return true
      },
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('The file is no workbook: save it as XLSX or CSV')
  }
  const { buffer, byteOffset, length } = zipSync(parts, { level: 0 })
  return Buffer.from(buffer, byteOffset, length)
}
