import type { MakeFiles, ReportFile } from '../order.ts'
import { coverOf } from './cover.ts'
import { distanceTables } from './distance.ts'
import { eventTables } from './event.ts'
import { type Making, startMaking } from './making.ts'
import { observationTables } from './observation.ts'
import { powerTables } from './power.ts'
import { type DeviceTemperature, temperatureTables } from './temperature.ts'
import { temperatureBook } from './temperature-book.ts'
import { tripTables } from './trip.ts'
import { type Table, writeWorkbook } from './workbook.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PDF = 'application/pdf'

/**
 * Makes the files of an order, the workbook first; of temperature also a PDF with charts. What each holds and how it is
 * reckoned: docs/decisions/0032-what-a-report-contains.md. All that is in them comes from the order and its source:
 * no clock is read, no number drawn.
 */
export const makeFiles: MakeFiles = async (order, source, onProgress, signal) => {
  const making = await startMaking(order, source, onProgress, signal)
  const name = fileName(making)
  const book = order.kind === 'temperature' ? temperatureBook(making) : undefined
  const tables = await tablesOf(making, book?.look)
  const cover = coverOf(making)
  const workbook = await writeWorkbook(order.title, cover, tables, making.local, making)
  signal.throwIfAborted()
  const files: ReportFile[] = [{ bytes: workbook, fileName: `${name}.xlsx`, contentType: XLSX }]
  if (book) files.push({ bytes: await book.finish(), fileName: `${name}.pdf`, contentType: PDF })
  signal.throwIfAborted()
  onProgress(1)
  return files
}

async function tablesOf(making: Making, look?: (one: DeviceTemperature) => void): Promise<Table[]> {
  switch (making.order.kind) {
    case 'distance':
      return distanceTables(making)
    case 'temperature':
      return temperatureTables(making, look)
    case 'observation':
      return observationTables(making)
    case 'event':
      return eventTables(making)
    case 'power':
      return powerTables(making)
    case 'trip':
      return tripTables(making)
  }
}

/** Distance-Report-20261101-0000-to-20261121-1405; an end that is the last moment of a minute is told as that minute. */
function fileName({ order, local }: Making): string {
  const words = order.title.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  return `${words || 'Report'}-${local.compact(order.from)}-to-${local.compact(order.to)}`
}
