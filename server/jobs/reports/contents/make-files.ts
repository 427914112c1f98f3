import type { MakeFiles, ReportFile } from '../order.ts'
import { caseBook } from './case-book.ts'
import { coverOf } from './cover.ts'
import { distanceTables } from './distance.ts'
import { eventTables } from './event.ts'
import { eventGraph, travelGraph } from './graphs.ts'
import { type Making, startMaking } from './making.ts'
import { observationTables } from './observation.ts'
import { powerTables } from './power.ts'
import { proofBook } from './proof-book.ts'
import { silenceTables } from './silence.ts'
import { speedingTables } from './speeding.ts'
import { statusTables } from './status.ts'
import { stoppageTables } from './stoppage.ts'
import { temperatureTables } from './temperature.ts'
import { temperatureBook } from './temperature-book.ts'
import { travelTables } from './travel.ts'
import { tripTables } from './trip.ts'
import { type Table, writeWorkbook } from './workbook.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PDF = 'application/pdf'

/** Letters of a device's name in that of a file: with the rest it stays within what the record and file systems take. */
const LONGEST_NAME = 60

/** What a report is made of. `drawn`: the PDF beside the workbook, asked for once the tables are written; without tables it stands alone. */
type Contents = { tables: Table[]; drawn?: () => Promise<Uint8Array> }

/**
 * Makes the files of an order, the workbook first; of temperature and of graphs also a PDF. What each holds and how it is
 * reckoned: docs/decisions/0032-what-a-report-contains.md and 0054. All that is in them comes from the order and its
 * source: no clock is read, no number drawn.
 */
export const makeFiles: MakeFiles = async (order, source, onProgress, signal) => {
  const making = await startMaking(order, source, onProgress, signal)
  const name = fileName(making)
  const { tables, drawn } = await contentsOf(making)
  const files: ReportFile[] = []
  if (tables.length > 0) {
    const workbook = await writeWorkbook(order.title, coverOf(making), tables, making.local, making)
    signal.throwIfAborted()
    files.push({ bytes: workbook, fileName: `${name}.xlsx`, contentType: XLSX })
  }
  if (drawn) files.push({ bytes: await drawn(), fileName: `${name}.pdf`, contentType: PDF })
  signal.throwIfAborted()
  onProgress(1)
  return files
}

async function contentsOf(making: Making): Promise<Contents> {
  switch (making.order.kind) {
    case 'distance':
      return { tables: await distanceTables(making) }
    case 'temperature': {
      const { look, finish } = temperatureBook(making)
      return { tables: await temperatureTables(making, look), drawn: finish }
    }
    case 'observation':
      return { tables: observationTables(making) }
    case 'event':
      return { tables: await eventTables(making) }
    case 'event-graph':
      return eventGraph(making)
    case 'power':
      return { tables: await powerTables(making) }
    case 'trip':
      return { tables: await tripTables(making) }
    case 'speeding':
      return { tables: await speedingTables(making) }
    case 'stoppage':
      return { tables: await stoppageTables(making) }
    case 'silence':
      return { tables: await silenceTables(making) }
    case 'status':
      return { tables: await statusTables(making) }
    case 'travel':
      return { tables: await travelTables(making) }
    case 'travel-graph':
      return travelGraph(making)
    case 'case':
      return { tables: [], drawn: () => caseBook(making) }
    case 'proof':
      return { tables: [], drawn: () => proofBook(making) }
  }
}

/** Distance-Report-20261101-0000-to-20261121-1405, a proof with its device, with -version-2 where it is made once more; an end that is the last moment of a minute is written as that minute. */
function fileName({ order, source, local }: Making): string {
  const [device] = source.devices
  const whose =
    (order.kind === 'proof' || order.kind === 'case') && device
      ? ` ${plain(device.plateNumber || device.name).slice(0, LONGEST_NAME)}`
      : ''
  const words = plain(`${order.title}${whose}`).replaceAll(/^-|-$/g, '')
  const version = order.version === undefined ? '' : `-version-${order.version}`
  return `${words || 'Report'}-${local.compact(order.from)}-to-${local.compact(order.to)}${version}`
}

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9]+/g, '-')
