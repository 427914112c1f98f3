import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { endOf, type Spell } from './spells.ts'

/** Voltages of some time, V; NaN where none was measured. `sum` over `count` readings. */
export type Voltage = { min: number; max: number; sum: number; count: number }

/** Power of one device on one day: how long the ignition was on and the tracker unplugged (ms), how often each began. */
export type PowerDay = {
  ignition: number
  starts: number
  unplugged: number
  unplugs: number
  external: Voltage
  battery: Voltage
}

const FIELDS = { external: 'externalVoltage', battery: 'batteryVoltage' } as const

/** Power a day. `starts`: where days begin, with the end of the last. What crosses midnight is shared by time. */
export function powerDays(
  columns: ReadingColumns,
  starts: Float64Array,
  spells: { ignition: readonly Spell[]; unplugged: readonly Spell[] },
): PowerDay[] {
  const days = Array.from({ length: starts.length - 1 }, emptyPower)
  for (const [voltage, field] of Object.entries(FIELDS) as [
    'external' | 'battery',
    'externalVoltage' | 'batteryVoltage',
  ][]) {
    const { missing, scale } = READING_FIELDS[field]
    const values = columns[field]
    let day = 0
    for (let i = 0; i < columns.length; i++) {
      const stored = values[i] as number
      if (stored === missing) continue
      while (day < days.length - 1 && (columns.at[i] as number) >= (starts[day + 1] as number)) day++
      if (days[day] !== undefined) measure((days[day] as PowerDay)[voltage], stored / scale)
    }
  }
  share(spells.ignition, columns, starts, (day, ms, isFirst) => {
    const one = days[day] as PowerDay
    one.ignition += ms
    if (isFirst) one.starts++
  })
  share(spells.unplugged, columns, starts, (day, ms, isFirst) => {
    const one = days[day] as PowerDay
    one.unplugged += ms
    if (isFirst) one.unplugs++
  })
  return days
}

/** Several days as one. */
export function sumPower(days: readonly PowerDay[]): PowerDay {
  const sum = emptyPower()
  for (const day of days) {
    for (const name of ['ignition', 'starts', 'unplugged', 'unplugs'] as const) sum[name] += day[name]
    for (const name of ['external', 'battery'] as const) {
      const { min, max, sum: volts, count } = day[name]
      if (count === 0) continue
      const to = sum[name]
      if (!(min >= to.min)) to.min = min
      if (!(max <= to.max)) to.max = max
      to.sum += volts
      to.count += count
    }
  }
  return sum
}

const noVoltage = (): Voltage => ({ min: Number.NaN, max: Number.NaN, sum: 0, count: 0 })
const emptyPower = (): PowerDay => ({
  ignition: 0,
  starts: 0,
  unplugged: 0,
  unplugs: 0,
  external: noVoltage(),
  battery: noVoltage(),
})

function measure(voltage: Voltage, volts: number): void {
  if (!(volts >= voltage.min)) voltage.min = volts
  if (!(volts <= voltage.max)) voltage.max = volts
  voltage.sum += volts
  voltage.count++
}

function share(
  spells: readonly Spell[],
  columns: ReadingColumns,
  starts: Float64Array,
  add: (day: number, ms: number, isFirst: boolean) => void,
): void {
  for (const spell of spells) {
    const to = endOf(spell, columns)
    for (let day = 0; day < starts.length - 1; day++) {
      const start = Math.max(spell.from, starts[day] as number)
      const end = Math.min(to, starts[day + 1] as number)
      const isFirst = spell.from >= (starts[day] as number) && spell.from < (starts[day + 1] as number)
      if (end > start || isFirst) add(day, Math.max(0, end - start), isFirst)
    }
  }
}
