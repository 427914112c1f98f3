import { expect, test } from 'vitest'
import { createServerClock } from './clock.ts'

function started() {
  let passed = 0
  const clock = createServerClock(
    () => passed,
    () => 5,
  )
  return { clock, wait: (ms: number) => (passed += ms) }
}

test('before the server has spoken it guesses and says so', () => {
  const { clock } = started()
  expect([clock.now(), clock.isKnown()]).toEqual([5, false])
})

test("runs on at the server's speed", () => {
  const { clock, wait } = started()
  wait(1000)
  clock.set({ now: 1_000_000, speed: 10, paused: false })
  wait(500)
  expect(clock.now()).toBe(1_005_000)
  expect(clock.until(1_010_000)).toBe(500)
  expect(clock.until(1_000_000)).toBe(0)
})

test('tells whole milliseconds, however finely time passes', () => {
  let passed = 0.1
  const clock = createServerClock(
    () => passed,
    () => 5.5,
  )
  expect(clock.now()).toBe(5)
  clock.set({ now: 1_000_000, speed: 3, paused: false })
  passed += 1.3
  expect(clock.now()).toBe(1_000_003)
  expect(clock.until(1_000_004)).toBeGreaterThan(0)
})

test('stands while the world is paused', () => {
  const { clock, wait } = started()
  clock.set({ now: 1_000_000, speed: 10, paused: true })
  wait(500)
  expect(clock.now()).toBe(1_000_000)
  expect(clock.until(1_000_001)).toBe(Number.POSITIVE_INFINITY)
})

test('a nap of the machine passes, though what never steps stood still; a browser set anew by less changes nothing', () => {
  let [passed, guess] = [0, 5]
  const clock = createServerClock(
    () => passed,
    () => guess,
  )
  clock.set({ now: 1_000_000, speed: 1, paused: false })
  passed += 1000
  guess -= 3_600_000
  expect(clock.now()).toBe(1_001_000)
  guess += 3_600_000 + 31_000
  expect(clock.now()).toBe(1_001_000)
  guess += 3_570_000
  expect(clock.now()).toBe(4_601_000)
  clock.set({ now: 5_000_000, speed: 1, paused: false })
  passed += 1000
  guess += 1000
  expect(clock.now()).toBe(5_001_000)
})
