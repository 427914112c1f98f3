import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type ReadingColumns } from '#machines/contracts/readings.ts'
import { DOOR_GAP_MS, spellsWhere } from '#machines/rules/spells.ts'
import { thinHistory } from './thin-history.ts'

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}

const reading = (leastStep: number) =>
  fc.record({
    step: fc.integer({ min: leastStep, max: 900_000 }),
    temperature: fc.option(fc.double({ min: -5, max: 15, noNaN: true }), { nil: undefined, freq: 10 }),
    humidity: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined, freq: 10 }),
  })
const dayOf = (leastStep: number) =>
  fc.array(reading(leastStep), { minLength: 1, maxLength: 300 }).map((rows) => {
    const columns = createReadings(rows.length)
    let at = 1_800_000_000_000
    for (const { step, temperature, humidity } of rows) {
      at += step
      pushReading(columns, { device: 1, at, temperature, humidity })
    }
    return columns
  })
const day = dayOf(1)
/** no more than two readings, and so two crossings, in a span of five minutes */
const slowDay = dayOf(160_000)

const place = (value: number): string =>
  value === -0x8000 ? 'nowhere' : value > 800 ? 'above' : value < 200 ? 'below' : 'within'
const crossings = (columns: ReadingColumns, rows: ArrayLike<number>): string[] =>
  Array.from(rows, (i) => place(columns.temperature[i] as number)).filter(
    (p, i, all) => i === 0 || p !== all[i - 1],
  )

describe('a thinned history', () => {
  test('keeps first and last, the coldest and the warmest', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 400 }), (columns, maxPoints) => {
        const rows = thinHistory(columns, maxPoints, limits)
        const all = Array.from({ length: columns.length }, (_, i) => i)
        const extremes = (of: ArrayLike<number>) => {
          const measured = Array.from(of, (i) => columns.temperature[i] as number).filter(
            (v) => v !== -0x8000,
          )
          return [Math.min(...measured), Math.max(...measured)]
        }
        expect(rows[0]).toBe(0)
        expect(rows.at(-1)).toBe(columns.length - 1)
        expect([...rows]).toEqual([...new Set(rows)].sort((a, b) => a - b))
        expect(extremes(rows)).toEqual(extremes(all))
      }),
    )
  })

  test('keeps every crossing of a limit in its order, where there are two in five minutes at most', () => {
    fc.assert(
      fc.property(slowDay, fc.integer({ min: 1, max: 400 }), (columns, maxPoints) => {
        const all = Array.from({ length: columns.length }, (_, i) => i)
        expect(crossings(columns, thinHistory(columns, maxPoints, limits))).toEqual(crossings(columns, all))
      }),
    )
  })

  test('keeps when a door was opened and closed, however short it stood open', () => {
    const columns = createReadings(720)
    for (let i = 0; i < 720; i++)
      pushReading(columns, { device: 1, at: i * 30_000, temperature: 5, door: i % 90 === 44 ? 1 : 0 })
    const openSpells = (rows: ArrayLike<number>) => {
      const at = Float64Array.from(rows, (row) => columns.at[row] as number)
      const isOpen = (i: number) => columns.door[rows[i] as number] === 1
      return spellsWhere({ length: rows.length, at }, DOOR_GAP_MS, isOpen).map(({ from, to }) => [from, to])
    }
    const rows = thinHistory(columns, 100, limits)
    expect(rows.length).toBeLessThan(400)
    expect(openSpells(rows)).toEqual(openSpells(Array.from({ length: 720 }, (_, i) => i)))
  })

  test('opens no gap of ten minutes that was none', () => {
    fc.assert(
      fc.property(day, (columns) => {
        const rows = thinHistory(columns, 10, limits)
        for (let k = 1; k < rows.length; k++) {
          const [a, b] = [rows[k - 1] as number, rows[k] as number]
          const isWide = (columns.at[b] as number) - (columns.at[a] as number) > 600_000
          expect(isWide && b - a > 1).toBe(false)
        }
      }),
    )
  })

  test('of a quiet day at ten seconds is what a chart can show', () => {
    const columns = createReadings(8640)
    for (let i = 0; i < 8640; i++)
      pushReading(columns, { device: 1, at: i * 10_000, temperature: 5 + Math.sin(i / 300), humidity: 50 })
    expect(thinHistory(columns, 2000, limits).length).toBeLessThanOrEqual(2000)
    expect(thinHistory(columns, 10_000, limits).length).toBe(8640)
  })

  test('is bounded, whatever crosses a limit how often; where it swings in five minutes it shows how far', () => {
    const columns = createReadings(86_400)
    for (let i = 0; i < 86_400; i++)
      pushReading(columns, {
        device: 1,
        at: i * 1000,
        temperature: i % 2 === 0 ? 0 : 15 + (i % 3),
        humidity: i % 2 ? 5 : 95,
      })
    const rows = thinHistory(columns, 1, limits)
    expect(rows.length).toBeLessThanOrEqual(24 * 12 * 14)
    const values = new Set(Array.from(rows, (i) => columns.temperature[i]))
    expect([Math.min(...(values as Set<number>)), Math.max(...(values as Set<number>))]).toEqual([0, 1700])
  })

  test('of nothing is nothing', () => {
    expect(thinHistory(createReadings(0), 10, limits).length).toBe(0)
  })
})
