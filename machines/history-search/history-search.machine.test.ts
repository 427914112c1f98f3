import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import type { DeviceHistory } from '../contracts/entities/devices.ts'
import { historySearchMachine, type Range } from './history-search.machine.ts'
import { historyOf, LAST_DAY, model, NOW, pointAt } from './history-search.samples.ts'

const HOUR = 3_600_000

async function opened(answer: DeviceHistory, isAnswered = () => true) {
  const requests: Range[] = []
  const quietly: boolean[] = []
  const actor = createActor(
    historySearchMachine.provide({
      actors: {
        loadHistory: fromPromise(
          ({ input }: { input: { imei: string; range: Range; isBackground: boolean } }) => {
            requests.push(input.range)
            quietly.push(input.isBackground)
            return isAnswered() ? Promise.resolve(answer) : Promise.reject(new Error('no answer'))
          },
        ),
      },
    }),
    { input: model.input },
  ).start()
  const settled = () =>
    new Promise<void>((resolve) => {
      const check = () => !actor.getSnapshot().matches('loading') && resolve()
      actor.subscribe(check)
      check()
    })
  await settled()
  return {
    actor,
    requests,
    quietly,
    settled,
    points: () => actor.getSnapshot().context.history?.points ?? [],
  }
}

describe('the history of a device', () => {
  test('grows with new readings, each once, in order of time', async () => {
    const { actor, points } = await opened(historyOf(pointAt(NOW - HOUR)))
    actor.send({ type: 'readings', points: [pointAt(NOW + 1), pointAt(NOW + 2)] })
    actor.send({ type: 'readings', points: [pointAt(NOW + 2), pointAt(NOW + 3)] })
    expect(points().map((p) => Date.parse(p.dateTime) - NOW)).toEqual([-HOUR, 1, 2, 3])
    expect(actor.getSnapshot().context.history?.latest).toEqual(pointAt(NOW + 3))
  })

  test('of the past stays as it was', async () => {
    const { actor, settled, points } = await opened(historyOf(pointAt(NOW - 60 * HOUR)))
    actor.send({ type: 'search', range: { from: NOW - 72 * HOUR, to: NOW - 60 * HOUR }, now: NOW })
    await settled()
    actor.send({ type: 'readings', points: [pointAt(NOW + 1)] })
    expect(points()).toHaveLength(1)
  })

  test('keeps what it shows when a search is refused, and says why', async () => {
    const { actor, requests, points } = await opened(historyOf(pointAt(NOW - HOUR)))
    actor.send({ type: 'search', range: { from: NOW - 25 * HOUR, to: NOW }, now: NOW })
    expect(actor.getSnapshot().context.message).toBe('Duration Should be 1 Day Maximum')
    expect(points()).toHaveLength(1)
    expect(requests).toEqual([LAST_DAY])
  })

  test('shows the reading that came while its answer was on the way', async () => {
    const { actor, settled, points } = await opened(historyOf(pointAt(NOW - HOUR)))
    actor.send({ type: 'look', range: LAST_DAY, preset: 'day', now: NOW })
    actor.send({ type: 'readings', points: [pointAt(NOW - HOUR), pointAt(NOW + 1)] })
    await settled()
    expect(points().map((p) => Date.parse(p.dateTime) - NOW)).toEqual([-HOUR, 1])
  })

  test('is asked for again when the link was cut before its answer came', async () => {
    const { actor, requests, settled } = await opened(historyOf())
    actor.send({ type: 'look', range: LAST_DAY, preset: 'day', now: NOW })
    actor.send({ type: 'resumed', now: NOW + HOUR })
    await settled()
    expect(requests.at(-1)).toEqual({ from: NOW - 23 * HOUR, to: NOW + HOUR })
    actor.send({ type: 'resumed', now: NOW + 2 * HOUR })
    await settled()
    expect(requests.at(-1)).toEqual({ from: NOW - 22 * HOUR, to: NOW + 2 * HOUR })
  })

  test.each(['search', 'look'] as const)(
    'of a %s for an own span stays that span, however long it is looked at',
    async (type) => {
      const { actor, requests, settled, points } = await opened(historyOf(pointAt(NOW - HOUR)))
      actor.send({ type, range: LAST_DAY, preset: null, now: NOW })
      await settled()
      actor.send({ type: 'readings', points: [pointAt(NOW), pointAt(NOW + 1)] })
      expect(points().map((p) => Date.parse(p.dateTime) - NOW)).toEqual([-HOUR, 0])
      actor.send({ type: 'resumed', now: NOW + 60_000 })
      await settled()
      expect(requests.at(-1)).toEqual(LAST_DAY)
      expect(actor.getSnapshot().value).toEqual({ shown: 'live' })
      actor.send({ type: 'resumed', now: NOW + 180_000 })
      await settled()
      expect(requests.at(-1)).toEqual(LAST_DAY)
      expect(actor.getSnapshot().value, 'its end is past').toEqual({ shown: 'past' })
    },
  )

  test('of the night that is under way grows until the night is over', async () => {
    const { actor, requests, settled } = await opened(historyOf(pointAt(NOW)))
    const begin = Date.UTC(2026, 10, 1, 17)
    const at = (hours: number) => begin + hours * HOUR
    actor.send({ type: 'look', range: { from: begin, to: at(7) }, preset: 'night', now: at(7) })
    await settled()
    actor.send({ type: 'resumed', now: at(7.5) })
    await settled()
    expect(requests.at(-1)).toEqual({ from: begin, to: at(7.5) })
    actor.send({ type: 'resumed', now: at(8.5) })
    await settled()
    expect(requests.at(-1)).toEqual({ from: begin, to: at(8) })
    expect(actor.getSnapshot().value).toEqual({ shown: 'past' })
  })

  test('is fetched again, up to now, when the link is back', async () => {
    const { actor, requests, quietly, settled } = await opened(historyOf(pointAt(NOW - HOUR)))
    actor.send({ type: 'resumed', now: NOW + HOUR })
    await settled()
    expect(requests[1]).toEqual({ from: NOW - 23 * HOUR, to: NOW + HOUR })
    expect(quietly, 'behind what is shown').toEqual([false, true])
  })

  test('is asked for quietly when the link is back after it failed: nobody pressed anything', async () => {
    const { actor, quietly, settled } = await opened(historyOf(), () => false)
    actor.send({ type: 'resumed', now: NOW + HOUR })
    await settled()
    expect(quietly).toEqual([false, true])
  })

  test('is asked for up to now when it is tried again after it failed', async () => {
    let isAnswered = false
    const { actor, requests, settled, points } = await opened(historyOf(pointAt(NOW)), () => isAnswered)
    expect(actor.getSnapshot().value).toBe('failed')
    isAnswered = true
    actor.send({ type: 'retry', now: NOW + HOUR })
    await settled()
    expect(requests.at(-1)).toEqual({ from: NOW - 23 * HOUR, to: NOW + HOUR })
    expect(points()).toHaveLength(1)
  })
})
