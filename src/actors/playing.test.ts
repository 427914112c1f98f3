import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Speed, TimeMachineEvent } from '#machines/time-machine/time-machine.machine.ts'
import { play } from './playing.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/**
 * Plays from minute 0 on against a server that takes `takes(minute)` ms to answer, where now is minute `now`.
 * @returns each minute shown, with when, ms; and what was sent last
 */
async function played(speed: Speed, { now, takes }: { now: number; takes: (minute: number) => number }) {
  const shown: [minute: number, at: number][] = []
  const sent: TimeMachineEvent[] = []
  const began = performance.now()
  const playing = play(
    { at: 0, view: 'then', isDifferencesOnly: false, speed },
    {
      askFor: ({ at }) =>
        new Promise((resolve) => {
          setTimeout(() => resolve(() => ({ shown: at })), takes(at / MINUTE))
        }),
      now: () => now * MINUTE,
      signal: new AbortController().signal,
      send: (event) => {
        sent.push(event)
        if (event.type === 'played') shown.push([event.to / MINUTE, performance.now() - began])
      },
    },
  )
  await vi.runAllTimersAsync()
  await playing
  return { shown, last: sent.at(-1)?.type }
}

test('each minute is shown when it is due, up to now', async () => {
  const { shown, last } = await played(600, { now: 40, takes: () => 30 })
  expect(shown).toEqual(Array.from({ length: 40 }, (_, i) => [i + 1, 100 * (i + 1)]))
  expect(last).toBe('played.out')
  const slower = await played(60, { now: 3, takes: () => 30 })
  expect(slower.shown).toEqual([
    [1, 1000],
    [2, 2000],
    [3, 3000],
  ])
})

test('a minute that is late is shown, what was due meanwhile is left out, and those after it come when they are due', async () => {
  const { shown } = await played(600, { now: 40, takes: (minute) => (minute === 10 ? 460 : 30) })
  const late = shown.filter(([minute, at]) => at !== 100 * minute)
  expect(late).toEqual([
    [10, 1360],
    [11, 1360],
  ])
  expect(shown.map(([minute]) => minute)).toEqual([
    ...Array.from({ length: 11 }, (_, i) => i + 1),
    ...Array.from({ length: 27 }, (_, i) => i + 14),
  ])
})

test('where each answer takes longer than a minute lasts, it keeps to the clock with fewer minutes', async () => {
  const { shown, last } = await played(600, { now: 100, takes: () => 250 })
  expect(shown.at(-1)?.[0]).toBe(100)
  for (const [minute, at] of shown) expect(at - 100 * minute).toBeLessThanOrEqual(300)
  expect(last).toBe('played.out')
})

test('what the server shows of a minute is said with it: the last that was kept', async () => {
  const sent: TimeMachineEvent[] = []
  const playing = play(
    { at: 0, view: 'then', isDifferencesOnly: false, speed: 600 },
    {
      askFor: async () => () => ({ shown: 0 }),
      now: () => MINUTE,
      signal: new AbortController().signal,
      send: (event) => void sent.push(event),
    },
  )
  await vi.runAllTimersAsync()
  await playing
  expect(sent).toEqual([{ type: 'played', to: MINUTE, shown: 0 }, { type: 'played.out' }])
})
