import { LOAD_COLUMNS, LOAD_LINES, type LoadColumn, type LoadLineFault } from '../contracts/entities/loads.ts'
import { instantOf as instantOfText } from '../contracts/scalars.ts'
import { csvLines } from './csv.ts'
import { instantOf } from './zoned-time.ts'

/** A load as a line of a list says it; `since`: epoch ms, null: now. `isOver`: it is off its device. */
export type ListedLoad = {
  line: number
  imei: string
  reference: string
  profile: string
  since: number | null
  isOver: boolean
}

/**
 * The loads of a CSV list whose heading names its columns, in any order and case; IMEI and Reference must be there. What is wrong with
 * single lines is told by line and column, the heading being line 1.
 * @param timeZone of times that say none
 * @returns what is wrong with all of it, where it is no such list
 */
export function loadLines(
  text: string,
  timeZone: string,
): { loads: ListedLoad[]; faults: LoadLineFault[]; lines: number } | string {
  let rows: string[][]
  try {
    rows = csvLines(text)
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
  const [heading = [], ...body] = rows
  const places = LOAD_COLUMNS.map((name) =>
    heading.findIndex((cell) => cell.trim().toLowerCase() === name.toLowerCase()),
  )
  const [imeiAt, referenceAt, profileAt, sinceAt, closeAt] = places as [
    number,
    number,
    number,
    number,
    number,
  ]
  if (imeiAt < 0 || referenceAt < 0) return `The first line must name the columns ${LOAD_COLUMNS.join(', ')}`
  if (body.length > LOAD_LINES) return `At most ${LOAD_LINES} loads at once: part the list`
  const loads: ListedLoad[] = []
  const faults: LoadLineFault[] = []
  let lines = 0
  for (const [i, cells] of body.entries()) {
    if (cells.every((cell) => cell.trim() === '')) continue
    lines++
    const line = i + 2
    const cell = (at: number): string => (at < 0 ? '' : (cells[at] ?? '').trim())
    const imei = cell(imeiAt)
    const since = sinceOf(cell(sinceAt), timeZone)
    const isOver = CLOSES.get(cell(closeAt).toLowerCase())
    const fault = (column: LoadColumn, reason: string) =>
      faults.push({ line, imei: imei.slice(0, 40), column, reason })
    if (!/^\d{14,17}$/.test(imei)) fault('IMEI', 'This is no IMEI')
    else if (Number.isNaN(since)) fault('Since', 'Write the time as 2026-06-15 14:05, or in ISO 8601')
    else if (isOver === undefined) fault('Close', 'Write yes where the load is off its device, else nothing')
    else loads.push({ line, imei, reference: cell(referenceAt), profile: cell(profileAt), since, isOver })
  }
  return { loads, faults, lines }
}

/** What stands under Close, and whether the load is off its device. */
const CLOSES: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['no', false],
  ['yes', true],
])

/** NaN where it is no time. */
function sinceOf(text: string, timeZone: string): number | null {
  if (text === '') return null
  const wall = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)$/.exec(text)
  if (wall === null) return /^\d{4}-.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? instantOfText(text) : Number.NaN
  const [year, month, day, hour, minute] = wall.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  // a day of the calendar there is, and a time of it
  if (Number.isNaN(instantOfText(`${text.replace(' ', 'T')}:00Z`))) return Number.NaN
  return instantOf({ year, month, day, hour, minute, second: 0, millisecond: 0 }, timeZone)
}
