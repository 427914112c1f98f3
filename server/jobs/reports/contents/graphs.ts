import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { type Bar, barBook } from './bar-book.ts'
import { eventTables, requestedTypes } from './event.ts'
import type { Making } from './making.ts'
import { travelTables } from './travel.ts'
import type { Table } from './workbook.ts'

type Graph = { tables: Table[]; drawn: () => Promise<Uint8Array> }

/** The tables of a travel report, and a bar of kilometres a device. */
export async function travelGraph(making: Making): Promise<Graph> {
  const bars: Bar[] = []
  const short = `no day of ${making.order.minDistance ?? 0} km`
  const tables = await travelTables(making, (device, { known, counted, km }) => {
    if (counted > 0) bars.push({ device, value: km, words: inKm(km) })
    else bars.push({ device, value: undefined, words: known > 0 ? short : 'no data' })
  })
  const driven = bars.flatMap(({ value }) => value ?? [])
  const drawn = () =>
    barBook(making, {
      figures: [
        ['Devices', String(bars.length)],
        ['With days that count', String(driven.length)],
        ['Distance', inKm(driven.reduce((sum, km) => sum + km, 0))],
      ],
      heading: 'Distance by device (km)',
      bars,
    })
  return { tables, drawn }
}

/** The tables of a violation report, and a bar of their number a device. */
export async function eventGraph(making: Making): Promise<Graph> {
  const bars: Bar[] = []
  const types = requestedTypes(making.order)
  const counts = types.map(() => 0)
  const tables = await eventTables(making, (device, each) => {
    const value = each.reduce((sum, n) => sum + n, 0)
    bars.push({ device, value, words: String(value) })
    for (const [i, n] of each.entries()) counts[i] = (counts[i] as number) + n
  })
  const drawn = () =>
    barBook(making, {
      figures: types.map((type, i) => [VIOLATION_WORDS[type].name, String(counts[i])]),
      heading: 'Violations by device',
      bars,
    })
  return { tables, drawn }
}

const inKm = (km: number): string => `${km.toFixed(1)} km`
