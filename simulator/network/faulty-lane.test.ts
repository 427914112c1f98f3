import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lane } from '../../server/ports.ts'
import { createLane } from './faulty-lane.ts'

const ALWAYS = Number.MAX_SAFE_INTEGER

function way(weather: { delay: number; reorder: boolean }) {
  const busy = new Set<Lane>()
  const arrived: number[] = []
  const lane = createLane(() => weather, busy)
  return {
    weather,
    busy,
    arrived,
    lane,
    send: (n: number, keeps?: boolean) => lane.send(() => arrived.push(n), keeps),
  }
}

test('a good network has everything at once', () => {
  const { send, arrived, busy } = way({ delay: 0, reorder: false })
  for (const n of [1, 2, 3]) send(n)
  expect(arrived).toEqual([1, 2, 3])
  expect(busy.size).toBe(0)
})

test('a slow one has it later, in its order, also when it has become less slow', () => {
  const { send, arrived, lane, weather } = way({ delay: 5000, reorder: false })
  send(1)
  send(2)
  weather.delay = 10
  send(3)
  lane.move(0)
  expect(arrived).toEqual([])
  lane.move(ALWAYS)
  expect(arrived).toEqual([1, 2, 3])
})

test('in a disordered one neighbours change places; what has no place in the log keeps it, and nothing waits forever', () => {
  const { send, arrived, lane, busy } = way({ delay: 0, reorder: true })
  for (const n of [1, 2, 3, 4, 5]) send(n)
  expect(arrived).toEqual([2, 1, 4, 3])
  send(6, true)
  expect(arrived).toEqual([2, 1, 4, 3, 5, 6])
  send(7)
  expect(busy.size).toBe(1)
  lane.move(ALWAYS)
  expect(arrived.at(-1)).toBe(7)
  expect(busy.size).toBe(0)
})

test('whatever the network is, everything arrives once when it is good again; on a closed way nothing more', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.boolean().map((keeps) => ({ keeps })) },
    fc.record({ delay: fc.constantFrom(0, 10, 5000), reorder: fc.boolean() }),
    fc.constant('look' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, isClosed) => {
      const { send, arrived, lane, busy, weather } = way({ delay: 0, reorder: false })
      let sent = 0
      for (const one of steps) {
        if (one === 'look') lane.move(performance.now())
        else if ('keeps' in one) send(sent++, one.keeps)
        else Object.assign(weather, one)
      }
      Object.assign(weather, { delay: 0, reorder: false })
      const before = arrived.length
      if (isClosed) lane.close()
      lane.flush()
      expect(busy.size).toBe(0)
      if (isClosed) expect(arrived.length).toBe(before)
      else expect(arrived.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, n) => n))
    }),
  )
})
