import { afterEach, expect, test, vi } from 'vitest'
import { measureSpeed } from './reached.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('tells how fast a world was over the last seconds, and nothing while it stands or is not known yet', () => {
  vi.useFakeTimers()
  const world = { at: 0, isPaused: false, perSecond: 290 }
  let real = 0
  const clock = { now: () => world.at, paused: () => world.isPaused }
  const reached = measureSpeed(clock, () => real)
  const pass = (seconds: number): void => {
    for (let s = 0; s < seconds; s++) {
      real += 1000
      world.at += world.perSecond * 1000
      vi.advanceTimersByTime(1000)
    }
  }
  expect(reached.speed()).toBeNull()
  pass(3)
  expect(reached.speed()).toBe(290)
  world.perSecond = 10
  pass(10)
  expect(reached.speed()).toBe(10)
  world.isPaused = true
  expect(reached.speed()).toBeNull()
  pass(2)
  world.isPaused = false
  expect(reached.speed()).toBeNull()
  pass(2)
  expect(reached.speed()).toBe(10)
  reached.stop()
})
