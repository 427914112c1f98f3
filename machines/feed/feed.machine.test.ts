import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import { feedMachine } from './feed.machine.ts'

/** A feed whose answers the test gives by hand. */
function start() {
  const clock = new SimulatedClock()
  const requests: { answer: () => void; fail: () => void; isLeft: () => boolean }[] = []
  let resumes = 0
  const loadFleet = fromPromise<void>(
    ({ signal }) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error('no answer'))
        requests.push({ answer: resolve, fail, isLeft: () => signal.aborted })
      }),
  )
  const machine = feedMachine.provide({
    actors: { loadFleet },
    actions: { askToResume: () => void resumes++ },
  })
  const actor = createActor(machine, { clock })
  actor.start()
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    actor,
    clock,
    requests,
    resumes: () => resumes,
    is: (value: Parameters<ReturnType<typeof actor.getSnapshot>['matches']>[0]) =>
      actor.getSnapshot().matches(value),
    async answer(how: 'answer' | 'fail') {
      requests.at(-1)?.[how]()
      await settled()
    },
  }
}

describe('a feed', () => {
  test('asks for what came after its snapshot, and is live once that joins on', async () => {
    const feed = start()
    feed.actor.send({ type: 'linkUp' })
    await feed.answer('answer')
    expect([feed.is('gap'), feed.resumes()]).toEqual([true, 1])
    feed.actor.send({ type: 'joined' })
    expect(feed.is('live')).toBe(true)
  })

  test('is not live without a link, and asks again when it is back', async () => {
    const feed = start()
    await feed.answer('answer')
    feed.actor.send({ type: 'joined' })
    expect(feed.is('gap')).toBe(true)
    feed.actor.send({ type: 'linkUp' })
    expect(feed.resumes()).toBe(2)
    feed.actor.send({ type: 'joined' })
    feed.actor.send({ type: 'linkDown' })
    expect(feed.is('gap')).toBe(true)
  })

  test('closes a gap by asking, and by fetching anew when that is not answered', async () => {
    const feed = start()
    feed.actor.send({ type: 'linkUp' })
    await feed.answer('answer')
    feed.actor.send({ type: 'joined' })
    feed.actor.send({ type: 'gapFound' })
    expect([feed.is('gap'), feed.resumes()]).toEqual([true, 2])
    feed.clock.increment(10_000)
    expect(feed.is('resyncing')).toBe(true)
    expect(feed.requests).toHaveLength(2)
    await feed.answer('answer')
    expect(feed.is('gap')).toBe(true)
  })

  test('does not fetch anew over and over while there is no link', async () => {
    const feed = start()
    await feed.answer('answer')
    feed.clock.increment(60_000)
    expect([feed.is('gap'), feed.requests.length]).toEqual([true, 1])
  })

  test('a fleet that changes over and over is still fetched to the end: the server says if it was too old', async () => {
    const feed = start()
    feed.actor.send({ type: 'linkUp' })
    await feed.answer('answer')
    feed.actor.send({ type: 'snapshotNeeded' })
    feed.actor.send({ type: 'snapshotNeeded' })
    expect([feed.requests.length, feed.requests[1]?.isLeft()]).toEqual([2, false])
    await feed.answer('answer')
    feed.actor.send({ type: 'snapshotNeeded' })
    expect(feed.requests).toHaveLength(3)
  })

  test('tries again after a failure, and says what failed until it works', async () => {
    const feed = start()
    await feed.answer('fail')
    expect(feed.is({ awaitingSnapshot: 'failed' })).toBe(true)
    expect(feed.actor.getSnapshot().context.error).toBe('no answer')
    feed.clock.increment(3000)
    await feed.answer('fail')
    feed.actor.send({ type: 'retry' })
    await feed.answer('answer')
    expect([feed.is('gap'), feed.actor.getSnapshot().context.error]).toEqual([true, null])
  })
})
