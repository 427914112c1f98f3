import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { type PowerDay, powerDays, sumPower, type Voltage } from '#machines/rules/power-days.ts'
import { endOf, type Spell, spellsOf } from '#machines/rules/spells.ts'
import { type Making, placeAt, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const VOLTAGES = ['External voltage', 'Battery voltage'].flatMap((name): Column[] =>
  ['minimum', 'maximum', 'mean'].map((what) => ({ heading: `${name}, ${what} (V)`, width: 13, as: 'two' })),
)
const POWER: readonly Column[] = [
  { heading: 'Ignition on (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Times started', width: 9, as: 'whole' },
  { heading: 'Unplugged (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Times unplugged', width: 10, as: 'whole' },
  ...VOLTAGES,
]

const SPELL: readonly Column[] = [
  { heading: 'From', width: 20, as: 'time' },
  { heading: 'To', width: 20, as: 'time' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Place', width: 30, as: 'text' },
]
const PLACE_AFTER: Column = { heading: 'Place at the end', width: 30, as: 'text' }
const STATE: Column = { heading: 'State', width: 14, as: 'text' }

/** Ignition, voltages and when the tracker was unplugged: a row a device, a device and day, and each time. */
export async function powerTables(making: Making): Promise<Table[]> {
  const { starts, gapMs } = making
  const end = starts.at(-1) as number
  const [devices, days]: [Value[][], Value[][]] = [[], []]
  const [ignition, unplugged]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of making.devices()) {
    const spells = {
      ignition: spellsOf(readings, 'ignition', gapMs, end),
      unplugged: spellsOf(readings, 'unplug', Number.POSITIVE_INFINITY),
    }
    const ofDays = powerDays(readings, starts, spells)
    devices.push([...which(device), ...powerCells(sumPower(ofDays))])
    for (const [i, day] of ofDays.entries()) days?.push([starts[i], ...which(device), ...powerCells(day)])
    for (const spell of spells.ignition) ignition.push([...which(device), ...spellCells(spell, readings)])
    for (const spell of spells.unplugged)
      unplugged.push([
        ...which(device),
        ...spellCells(spell, readings).slice(0, -1),
        spell.to === null ? 'Still unplugged' : 'Plugged in',
      ])
  }
  return [
    { name: 'Devices', columns: [...WHICH, ...POWER], rows: devices },
    {
      name: 'Days',
      columns: [{ heading: 'Date', width: 12, as: 'date' }, ...WHICH, ...POWER],
      rows: days,
    },
    { name: 'Unplugged', columns: [...WHICH, ...SPELL, STATE], rows: unplugged },
    { name: 'Ignition', columns: [...WHICH, ...SPELL, PLACE_AFTER], rows: ignition },
  ]
}

function powerCells({ ignition, starts, unplugged, unplugs, external, battery }: PowerDay): Value[] {
  return [ignition, starts, unplugged, unplugs, ...voltageCells(external), ...voltageCells(battery)]
}

const voltageCells = ({ min, max, sum, count }: Voltage): Value[] =>
  count === 0 ? [null, null, null] : [rounded(min, 3), rounded(max, 3), rounded(sum / count, 3)]

function spellCells(spell: Spell, readings: ReadingColumns): Value[] {
  const end = endOf(spell, readings)
  const places = [placeAt(readings, spell.first), placeAt(readings, spell.last)]
  return [spell.from, spell.to, end - spell.from, ...places]
}
