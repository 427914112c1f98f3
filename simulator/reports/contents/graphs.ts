import { VIOLATION_WORDS } from '../../delivery/violation-words.ts'
import { type Bar, barBook } from './bar-book.ts'
import { askedTypes, eventTables } from './event.ts'
import type { Making } from './making.ts'
import { travelTables } from './travel.ts'
import type { Table } from './workbook.ts'

type Graph = { tables: Table[]; drawn: () => Promise<Uint8Array> }

/** The tables of a travel report, and a bar of kilometres a device. */
export async function travelGraph(making: Making): Promise<Graph> {
  const bars: Bar[] = []
  const tables = await travelTables(making, (device, value) => bars.push({ device, value }))
  const known = bars.flatMap(({ value }) => value ?? [])
  const drawn = () =>
    barBook(making, {
      figures: [
        ['Devices', String(bars.length)],
        ['With positions', String(known.length)],
        ['Distance', inKm(known.reduce((sum, km) => sum + km, 0))],
      ],
      heading: 'Distance by device (km)',
      bars,
      inWords: inKm,
    })
  return { tables, drawn }
}

/** The tables of a violation report, and a bar of their number a device. */
export async function eventGraph(making: Making): Promise<Graph> {
  const bars: Bar[] = []
  const types = askedTypes(making.order)
  const counts = types.map(() => 0)
  const tables = await eventTables(making, (device, each) => {
    bars.push({ device, value: each.reduce((sum, n) => sum + n, 0) })
    for (const [i, n] of each.entries()) counts[i] = (counts[i] as number) + n
  })
  const drawn = () =>
    barBook(making, {
      figures: types.map((type, i) => [VIOLATION_WORDS[type].name, String(counts[i])]),
      heading: 'Violations by device',
      bars,
      inWords: String,
    })
  return { tables, drawn }
}

const inKm = (km: number): string => `${km.toFixed(1)} km`
