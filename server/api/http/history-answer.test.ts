import { expect, test } from 'vitest'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { emptyLatest } from '#machines/projections/latest.ts'
import { company, device, group } from '../../testing/facts.ts'
import { historyAnswer } from './history-answer.ts'

const IMEI = '350000000000001'
const START = Date.UTC(2026, 5, 15)

/** A device that sent so many readings, so many ms apart, the last of them too hot. */
async function answered(count: number, stepMs: number, maxPoints?: number) {
  const directory = emptyDirectory()
  const facts = [company('a'), group('g', 'a', null), device(0, IMEI, 'a', 'g')]
  for (const [i, fact] of facts.entries())
    evolve(directory, { ...fact, seq: i + 1, id: `f${i}`, v: 1, recordedAt: 0 } as Parameters<
      typeof evolve
    >[1])
  const columns = createReadings(count)
  for (let i = 0; i < count; i++)
    pushReading(columns, { device: 0, at: START + i * stepMs, temperature: i === count - 2 ? 40 : 4 })
  const { points } = await historyAnswer(
    {
      store: { damage: { spansOf: () => [] } } as never,
      keptHistory: async () => columns,
      readModels: { directory, latest: emptyLatest() },
    },
    directory.devices[0] as Device,
    { from: START, to: START + count * stepMs },
    maxPoints,
  )
  return points
}

test('a reading each second of a day comes whole; of more than anybody sends some come, and the one that is too hot', async () => {
  expect(await answered(86_400, 1000)).toHaveLength(86_400)
  for (const maxPoints of [undefined, 10_000_000]) {
    const points = await answered(400_000, 200, maxPoints)
    expect(points.length).toBeLessThan(100_000)
    expect(points.some(({ temperature }) => temperature === 40)).toBe(true)
  }
})
