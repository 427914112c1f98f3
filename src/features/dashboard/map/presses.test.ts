import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPresses, DOUBLE_MS } from './presses.ts'

let calls: string[]
const presses = () =>
  createPresses({
    select: (imei) => calls.push(`select ${imei}`),
    open: (imei) => calls.push(`open ${imei}`),
    letGo: () => calls.push('let go'),
    now: () => Date.now(),
  })

beforeEach(() => {
  calls = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('two presses open the device of the first, wherever it has flown', () => {
  const { onDevice, onDouble } = presses()
  onDevice('1')
  vi.advanceTimersByTime(200)
  onDevice('2')
  expect(onDouble()).toBe(true)
  expect(calls).toEqual(['select 1', 'select 2', 'open 1'])
})

test('a press on the land lets go, two of them do not', () => {
  const { onLand, onDouble } = presses()
  onLand()
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(calls).toEqual(['let go'])
  onLand()
  onLand()
  expect(onDouble()).toBe(false)
  vi.advanceTimersByTime(DOUBLE_MS)
  expect(calls).toEqual(['let go'])
})

test('a device pressed long ago is not opened by two presses elsewhere', () => {
  const { onDevice, onDouble } = presses()
  onDevice('1')
  vi.advanceTimersByTime(2 * DOUBLE_MS)
  expect(onDouble()).toBe(false)
})
