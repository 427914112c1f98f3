import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeReadings } from '#machines/contracts/readings.ts'
import { FAULTS } from '#machines/contracts/scenario-script.ts'
import { demo, HOUR, MINUTE, smallWorld } from './testing/demo.ts'
import { createWorld, type World } from './world.ts'

const SPAN = 2 * HOUR

const inSteps = (world: World, steps: number[]) => {
  const end = world.position() + SPAN
  for (let i = 0; world.position() < end; i++)
    world.advance(Math.min(end, world.position() + (steps[i % steps.length] as number)))
}

/** a fault injected at the scenario's start */
const someFault = fc.record({
  device: fc.nat(29),
  fault: fc.constantFrom(...FAULTS),
  forSeconds: fc.integer({ min: 60, max: 5400 }),
})
const inject = (
  world: World,
  faults: { device: number; fault: (typeof FAULTS)[number]; forSeconds: number }[],
) => {
  faults.forEach(({ device, fault, forSeconds }, i) => {
    world.injectFault(`f${i}`, world.registration.devices[device]?.imei ?? '', fault, forSeconds)
  })
}

describe('same scenario, same seed, same messages', () => {
  test('whatever the steps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 40 * MINUTE }), { minLength: 1, maxLength: 8 }),
        fc.array(someFault, { maxLength: 6 }),
        (steps, faults) => {
          const [whole, stepped] = [smallWorld(40), smallWorld(40)]
          inject(whole, faults)
          inject(stepped, faults)
          whole.advance(whole.position() + SPAN)
          // no less than a second on average, or a case takes minutes
          inSteps(stepped, [...steps, 30 * MINUTE])
          expect(stepped.messagesSent()).toBe(whole.messagesSent())
          expect(stepped.hash()).toBe(whole.hash())
        },
      ),
      { numRuns: 25 },
    )
  })

  test('whichever other devices exist', () => {
    const [few, many] = [smallWorld(30), smallWorld(600)]
    few.advance(few.position() + SPAN)
    many.advance(many.position() + SPAN)
    for (const { index, imei } of few.registration.devices)
      expect(few.hash(index)).toBe(many.hash(many.indexOf(imei)))
  })

  test('byte for byte, in the same order', () => {
    const bytes = [smallWorld(50), smallWorld(50)].map((world) => {
      const { readings, sentAt } = world.advance(world.position() + HOUR)
      return [Buffer.from(encodeReadings(readings)), Buffer.from(sentAt.buffer)]
    })
    expect(bytes[0]).toEqual(bytes[1])
  })

  test('when the world is put into the middle of it, as after a restart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SPAN }), fc.array(someFault, { maxLength: 6 }), (at, faults) => {
        const before = smallWorld(30)
        inject(before, faults)
        before.advance(before.start + at)
        const after = smallWorld(30)
        for (const fault of before.faults()) after.restoreFault(fault)
        after.resume(before.position(), before.checkpoint())
        const end = before.start + SPAN + HOUR
        for (const world of [before, after]) world.advance(end)
        expect([after.hash(), after.messagesSent()]).toEqual([before.hash(), before.messagesSent()])
      }),
      { numRuns: 25 },
    )
  })

  test('another seed gives other messages', () => {
    const worlds = [1, 2].map((seed) => createWorld(demo, { seed, devices: 20 }))
    for (const world of worlds) world.advance(world.position() + HOUR)
    expect(worlds[0]?.hash()).not.toBe(worlds[1]?.hash())
  })

  test('after a reset everything is said again, without the faults injected since', () => {
    const world = smallWorld(40)
    world.advance(world.start + HOUR)
    const first = world.hash()
    world.injectFault('f1', world.registration.devices[3]?.imei ?? '', 'door-open', 3600)
    world.advance(world.start + 2 * HOUR)
    world.reset()
    expect(world.messagesSent()).toBe(0)
    world.advance(world.start + HOUR)
    expect(world.hash()).toBe(first)
    expect(world.faults().map((fault) => fault.id)).not.toContain('f1')
  })
})

describe('sending', () => {
  test('each device reports every ten seconds, and all of them evenly over the ten', () => {
    const world = smallWorld(2000, { ...demo, incidents: [], scriptedFaults: [] })
    const seconds = Array.from({ length: 10 }, () => world.advance(world.position() + 1000).readings.length)
    expect(seconds.reduce((sum, n) => sum + n, 0)).toBe(2000)
    for (const n of seconds) expect(n).toBeGreaterThan(140)
  })

  test('is in the order of sending, never before it was measured unless a clock is wrong', () => {
    const world = smallWorld(300, {
      ...demo,
      incidents: demo.incidents.filter((i) => i.kind !== 'clock-skew'),
    })
    const { readings, sentAt } = world.advance(world.position() + 3 * HOUR)
    const times = sentAt.subarray(0, readings.length)
    expect(times.every((time, i) => i === 0 || time >= (times[i - 1] as number))).toBe(true)
    expect(times.every((time, i) => (readings.at[i] as number) <= time)).toBe(true)
    expect(times[0]).toBeGreaterThan(world.start)
  })
})
