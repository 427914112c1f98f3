import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWorldClock } from './clock.ts'
import { createWorldRun, type Sink, type WorldRun, WorldStopped } from './run.ts'
import { HOUR, smallWorld } from './testing/demo.ts'

function server(options: { sink?: Sink; speed?: number; devices?: number } = {}) {
  const world = smallWorld(options.devices ?? 40)
  // no time passes by itself, except where a test passes it
  const realNow = vi.isFakeTimers() ? () => performance.now() : () => 0
  const clock = createWorldClock({ start: world.start, speed: options.speed ?? 1, realNow })
  const taken: { readings: number; until: number }[] = []
  const errors: unknown[] = []
  const sink: Sink = async (readings, sentAt, until) => {
    await options.sink?.(readings, sentAt, until)
    taken.push({ readings: readings.length, until })
  }
  const run = createWorldRun(world, clock, sink, { onError: (error) => errors.push(error) })
  return {
    world,
    clock,
    run,
    taken,
    errors,
    count: () => taken.reduce((sum, step) => sum + step.readings, 0),
  }
}

describe('a running world', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  /** the step under way breathes once more before it is done */
  const stopped = async (run: WorldRun) => {
    const done = run.stop()
    await vi.advanceTimersByTimeAsync(10)
    return done
  }

  test('gives what is sent as its clock goes, and nothing once stopped', async () => {
    const { world, run, taken, count } = server()
    run.start()
    await vi.advanceTimersByTimeAsync(20_000)
    await stopped(run)
    expect(count()).toBe(world.messagesSent())
    expect(world.position() - world.start).toBeGreaterThan(19_000)
    const steps = taken.length
    await vi.advanceTimersByTimeAsync(20_000)
    expect(taken).toHaveLength(steps)
  })

  test('at a thousand times the speed takes steps of ten seconds at most and leaves nothing out', async () => {
    const { world, run, taken, count } = server({ speed: 1000 })
    run.start()
    await vi.advanceTimersByTimeAsync(3000)
    await stopped(run)
    expect(taken.length).toBeGreaterThan(50)
    taken.reduce((before, { until }) => {
      expect(until - before).toBeLessThanOrEqual(10_000)
      return until
    }, world.start)
    const plain = smallWorld(40)
    plain.advance(world.position())
    expect([world.hash(), count()]).toEqual([plain.hash(), plain.messagesSent()])
  })

  test.each([480, 1000, 10_000])(
    'at %i times the speed nobody seems silent for what is yet to be sent',
    async (speed) => {
      let ahead = 0
      const { world, clock, run } = server({
        speed,
        sink: async () => {
          ahead = Math.max(ahead, clock.now() - world.position())
        },
      })
      run.start()
      for (let n = 0; n < 100; n++) {
        await vi.advanceTimersByTimeAsync(10)
        ahead = Math.max(ahead, clock.now() - world.position())
      }
      await stopped(run)
      expect(ahead).toBeLessThanOrEqual(60_000)
      expect(world.position() - world.start).toBeGreaterThan(300_000)
    },
  )

  test('waits for a slow sink, and the clock waits with it', async () => {
    let release = () => {}
    const { world, clock, run, taken } = server({
      sink: () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    })
    run.start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(taken).toHaveLength(0)
    expect(clock.now() - world.start).toBeLessThan(2000)
    release()
    await vi.advanceTimersByTimeAsync(400)
    expect(taken).toHaveLength(1)
    const done = stopped(run)
    release()
    await done
  })

  test('stops when the sink fails, says so, and offers the same messages again', async () => {
    let refuses = true
    const { world, run, errors, taken, count } = server({
      sink: async () => {
        if (refuses) throw new Error('full')
      },
    })
    run.start()
    await vi.advanceTimersByTimeAsync(5000)
    expect(errors).toHaveLength(1)
    expect(taken).toHaveLength(0)
    refuses = false
    run.start()
    await vi.advanceTimersByTimeAsync(5000)
    await stopped(run)
    expect(count()).toBe(world.messagesSent())
    expect(count()).toBeGreaterThan(0)
  })
})

describe('advancing', () => {
  test('resolves when everything of that time has been taken in, the clock there too', async () => {
    const { world, clock, run, count } = server({ devices: 200 })
    await run.advance(3600)
    expect(world.position()).toBe(world.start + HOUR)
    expect(clock.now()).toBe(world.start + HOUR)
    expect(count()).toBe(world.messagesSent())
    expect(count()).toBeGreaterThan(65_000)
  })

  test('works while paused, and leaves it paused', async () => {
    const { world, clock, run } = server()
    clock.pause()
    await run.advance(60)
    expect([clock.now() - world.start, clock.paused()]).toEqual([60_000, true])
  })

  test('says whether it was halted on its way', async () => {
    let isHalting = false
    const { world, run } = server({
      sink: async () => {
        if (isHalting) run.halt()
      },
    })
    expect(await run.advance(60)).toBe(false)
    isHalting = true
    expect(await run.advance(600)).toBe(true)
    expect(world.position() - world.start).toBeLessThan(660_000)
  })

  test('two after one another add up; a change comes between steps, never during one', async () => {
    let busy = false
    const { world, run } = server({
      sink: async () => {
        busy = true
        await Promise.resolve()
        busy = false
      },
    })
    const seen: boolean[] = []
    await Promise.all([run.advance(30), run.between(() => seen.push(busy)), run.advance(30)])
    expect(world.position() - world.start).toBe(60_000)
    expect(seen).toEqual([false])
  })

  test('is cut short when the run is stopped, and can be asked for again', async () => {
    const { run, world, taken } = server()
    const month = run.advance(31 * 86_400)
    const refused = expect(month).rejects.toThrow(WorldStopped)
    while (taken.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await run.stop()
    await refused
    const reached = world.position()
    expect(reached).toBeLessThan(world.start + 31 * 24 * HOUR)
    await run.advance(60)
    expect(world.position()).toBeGreaterThanOrEqual(reached + 60_000)
  })

  test('a failing sink fails the call, and the next one goes on with the same messages', async () => {
    let refuses = true
    const { run, world, count } = server({
      sink: async () => {
        if (refuses) throw new Error('full')
      },
    })
    await expect(run.advance(60)).rejects.toThrow('full')
    refuses = false
    await run.advance(60)
    expect(count()).toBe(world.messagesSent())
  })
})

test('reset goes back to the start, after clearing, and runs the same course again', async () => {
  const { world, clock, run } = server()
  await run.advance(600)
  const hash = world.hash()
  let cleared = false
  await run.reset(async () => {
    cleared = true
  })
  expect([cleared, clock.now(), world.position(), world.messagesSent()]).toEqual([
    true,
    world.start,
    world.start,
    0,
  ])
  await run.advance(600)
  expect(world.hash()).toBe(hash)
})
