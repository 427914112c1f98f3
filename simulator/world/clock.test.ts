import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createWorldClock, FASTEST } from './clock.ts'

const START = 1_000_000

function clockAt(speed = 1) {
  let real = 50
  const clock = createWorldClock({ start: START, speed, realNow: () => real })
  return {
    clock,
    pass(ms: number) {
      real += ms
      return clock.now() - START
    },
  }
}

describe('the world clock', () => {
  test('runs with real time, or a thousand times as fast', () => {
    expect(clockAt().pass(250)).toBe(250)
    expect(clockAt(1000).pass(250)).toBe(250_000)
  })

  test('a new speed holds from now on', () => {
    const { clock, pass } = clockAt()
    pass(1000)
    clock.setSpeed(60)
    expect(pass(1000)).toBe(61_000)
  })

  test('stands still while paused', () => {
    const { clock, pass } = clockAt(10)
    pass(100)
    clock.pause()
    expect([pass(5000), clock.paused()]).toEqual([1000, true])
    clock.resume()
    expect(pass(100)).toBe(2000)
  })

  test('time beyond a hold is lost, not caught up', () => {
    const { clock, pass } = clockAt(100)
    clock.holdAt(START + 5000)
    expect(pass(60_000)).toBe(5000)
    clock.holdAt(START + 8000)
    expect(pass(10)).toBe(6000)
  })

  test('is set forward, never back, but by a reset', () => {
    const { clock, pass } = clockAt()
    clock.jumpTo(START + 9000)
    clock.jumpTo(START + 100)
    expect(pass(0)).toBe(9000)
    clock.reset(START)
    expect(pass(10)).toBe(10)
  })

  test('tells who asked to be told, until they have heard enough', () => {
    const { clock } = clockAt()
    let heard = 0
    const stop = clock.subscribe(() => heard++)
    clock.setSpeed(2)
    clock.pause()
    clock.jumpTo(START + 1)
    stop()
    clock.resume()
    expect(heard).toBe(3)
  })

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, FASTEST + 1])('refuses a speed of %s', (speed) => {
    const { clock, pass } = clockAt()
    expect(() => clock.setSpeed(speed)).toThrow(RangeError)
    expect(pass(100)).toBe(100)
  })

  test('never goes back, whatever is done to it', () => {
    const act = fc.oneof(
      fc.record({ pass: fc.nat(100_000) }),
      fc.record({ speed: fc.integer({ min: 1, max: FASTEST }) }),
      fc.record({ hold: fc.nat(100_000) }),
      fc.record({ jump: fc.nat(1_000_000) }),
      fc.constant({ pause: true }),
      fc.constant({ resume: true }),
    )
    fc.assert(
      fc.property(fc.array(act), (acts) => {
        const { clock, pass } = clockAt()
        let before = clock.now()
        for (const step of acts) {
          if ('pass' in step) pass(step.pass)
          if ('speed' in step) clock.setSpeed(step.speed)
          if ('hold' in step) clock.holdAt(START + step.hold)
          if ('jump' in step) clock.jumpTo(START + step.jump)
          if ('pause' in step) clock.pause()
          if ('resume' in step) clock.resume()
          expect(clock.now()).toBeGreaterThanOrEqual(before)
          before = clock.now()
        }
      }),
    )
  })
})
