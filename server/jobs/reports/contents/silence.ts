import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { silencesOf, silentWithin } from '#machines/rules/silences.ts'
import { devicesWithLastWord, newestRow } from './last-word.ts'
import { type Making, placeAt, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const SUM: readonly Column[] = [
  { heading: 'State at the end', width: 14, as: 'text' },
  { heading: 'Last word', width: 20, as: 'time' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'Silent at the end for (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'Times silent', width: 9, as: 'whole' },
  { heading: 'Silent in the time asked for (h:mm:ss)', width: 15, as: 'hours' },
]

const SILENCE: readonly Column[] = [
  { heading: 'Last word', width: 20, as: 'time' },
  { heading: 'Heard again', width: 20, as: 'time' },
  { heading: 'Silent for (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'State', width: 14, as: 'text' },
]

/**
 * Who did not respond: a row a device with how it stood at the end, and a row a silence. A silence begins with the last
 * word, which may be before the time asked for; a device nobody heard in the days looked back is said to be just that.
 */
export async function silenceTables(making: Making): Promise<Table[]> {
  const { order, starts, gapMs } = making
  const end = starts.at(-1) as number
  const [devices, rows]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of devicesWithLastWord(making)) {
    const { length, at } = readings
    if (length === 0) {
      devices.push([...which(device), 'Not heard'])
      continue
    }
    const silences = silencesOf(at.subarray(0, length), order.from, end, gapMs)
    const open = silences.at(-1)?.to === null ? silences.at(-1) : undefined
    devices.push([
      ...which(device),
      open ? 'Silent' : 'Responding',
      at[length - 1],
      lastPlace(readings, length - 1),
      open ? end - open.from : null,
      silences.length,
      silences.reduce((ms, silence) => ms + silentWithin(silence, order.from, end), 0),
    ])
    let row = 0
    for (const { from, to } of silences) {
      while ((at[row] as number) < from) row++
      const length = (to ?? end) - from
      rows.push([
        ...which(device),
        from,
        to,
        length,
        lastPlace(readings, row),
        to === null ? 'Still silent' : 'Ended',
      ])
    }
  }
  return [
    { name: 'Devices', columns: [...WHICH, ...SUM], rows: devices },
    { name: 'Silences', columns: [...WHICH, ...SILENCE], rows },
  ]
}

/** Where it was with its last word, or last said it was before that. */
function lastPlace(readings: ReadingColumns, row: number): string {
  const place = newestRow({ ...readings, length: row + 1 }, 'lat')
  return place < 0 ? '' : placeAt(readings, place)
}
