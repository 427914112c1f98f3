import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type Reading } from '../contracts/readings.ts'
import { dayStarts } from './days.ts'
import { powerDays, sumPower } from './power-days.ts'
import { endOf, spellsOf } from './spells.ts'

const MINUTE = 60_000
const GAP = 10 * MINUTE
const START = Date.UTC(2026, 10, 20, 18)

function columnsOf(rows: ({ minute: number } & Omit<Reading, 'device' | 'at'>)[]) {
  const columns = createReadings(rows.length)
  for (const { minute, ...row } of rows)
    pushReading(columns, { device: 0, at: START + minute * MINUTE, ...row })
  return columns
}
const minutesOf = (at: number | null) => (at === null ? null : (at - START) / MINUTE)

describe('a switch', () => {
  test('is on from the reading that says so to the one that says it is not', () => {
    const columns = columnsOf([
      { minute: 0, ignition: 0 },
      { minute: 1, ignition: 1 },
      { minute: 2 },
      { minute: 3, ignition: 1 },
      { minute: 4, ignition: 0 },
      { minute: 5, ignition: 1 },
    ])
    expect(spellsOf(columns, 'ignition', GAP).map(({ from, to }) => [from, to].map(minutesOf))).toEqual([
      [1, 4],
      [5, null],
    ])
  })

  test('is off in a silence, unless silence is to be bridged', () => {
    const columns = columnsOf([
      { minute: 0, unplug: 1 },
      { minute: 2, unplug: 1 },
      { minute: 60, unplug: 1 },
      { minute: 61, unplug: 0 },
    ])
    const spells = (gap: number) =>
      spellsOf(columns, 'unplug', gap).map(({ from, to }) => [from, to].map(minutesOf))
    expect(spells(GAP)).toEqual([
      [0, 2],
      [60, 61],
    ])
    expect(spells(Number.POSITIVE_INFINITY)).toEqual([[0, 61]])
  })
})

test('power of days is shared at midnight and adds up', () => {
  const rows = fc.array(
    fc.record({
      wait: fc.integer({ min: 1, max: 500 }),
      ignition: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
      unplug: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
      externalVoltage: fc.option(
        fc.integer({ min: 0, max: 28_000 }).map((mV) => mV / 1000),
        { nil: undefined },
      ),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(rows, (steps) => {
      let minute = 0
      const columns = columnsOf(
        steps.map(({ wait, ...row }) => {
          minute += wait
          return { minute, ...row }
        }),
      )
      const end = START + (minute + 1) * MINUTE
      const spells = {
        ignition: spellsOf(columns, 'ignition', GAP),
        unplugged: spellsOf(columns, 'unplug', Number.POSITIVE_INFINITY),
      }
      const sum = sumPower(powerDays(columns, dayStarts(START, end, 'Asia/Karachi'), spells))
      const lasted = (of: 'ignition' | 'unplugged') =>
        spells[of].reduce((ms, spell) => ms + endOf(spell, columns) - spell.from, 0)
      expect(sum.ignition).toBe(lasted('ignition'))
      expect(sum.unplugged).toBe(lasted('unplugged'))
      expect([sum.starts, sum.unplugs]).toEqual([spells.ignition.length, spells.unplugged.length])
      const volts = steps.flatMap(({ externalVoltage }) => externalVoltage ?? [])
      expect(sum.external.count).toBe(volts.length)
      if (volts.length > 0) {
        expect([sum.external.min, sum.external.max]).toEqual([Math.min(...volts), Math.max(...volts)])
        expect(sum.external.sum).toBeCloseTo(
          volts.reduce((a, b) => a + b, 0),
          6,
        )
      }
      expect(sum.battery.count).toBe(0)
    }),
  )
})
