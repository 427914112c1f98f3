import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import type { Answered } from './entries.ts'
import { notificationFeedMachine, type PageRequest } from './notification-feed.machine.ts'
import {
  answerOf,
  commentOn,
  notificationAt,
  TODAY,
  TOMORROW,
  UNFILTERED,
  YESTERDAY,
} from './notification-feed.samples.ts'
import { unreadOf } from './unread.ts'

/** A list whose answers the test gives, with a clock it turns. */
function started(filters = UNFILTERED) {
  const requests: PageRequest[] = []
  const waiting: { answer(given: Answered): void; fail(message: string): void }[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    notificationFeedMachine.provide({
      actors: {
        loadPage: fromPromise<Answered, PageRequest>(({ input }) => {
          requests.push(input)
          return new Promise((answer, refuse) => {
            waiting.push({ answer, fail: (message) => refuse(new Error(message)) })
          })
        }),
      },
    }),
    { input: { filters, pageSize: 2 }, clock },
  ).start()
  const settle = async (act: (one: (typeof waiting)[number]) => void) => {
    act(waiting.at(-1) as (typeof waiting)[number])
    await new Promise((resolve) => setTimeout(resolve))
  }
  return {
    actor,
    requests,
    wait: (ms: number) => clock.increment(ms),
    answer: (given: Answered) => settle((one) => one.answer(given)),
    fail: (message: string) => settle((one) => one.fail(message)),
    now: () => actor.getSnapshot(),
    ids: () => actor.getSnapshot().context.listed.entries.map(({ _id }) => _id),
    count: () => actor.getSnapshot().context.listed.count,
    unread: () => unreadOf(actor.getSnapshot().context.unread),
  }
}

/** A list that shows the two newest of three; `seq` of the answer is 100. */
async function shown() {
  const list = started()
  list.actor.send({ type: 'view' })
  list.actor.send({ type: 'toldFrom', seq: 90 })
  await list.answer(
    answerOf([notificationAt(9), notificationAt(8)], { hasMore: true, notificationsCount: 3, unread: 3 }),
  )
  return list
}

describe('when a list is loaded', () => {
  test('first after two seconds, or as soon as somebody looks', () => {
    const { requests, wait, actor } = started()
    wait(1999)
    expect(requests).toEqual([])
    wait(1)
    expect(requests).toEqual([{ filters: UNFILTERED, skip: 0, limit: 2, isBackground: false }])
    actor.send({ type: 'view' })
    expect(requests).toHaveLength(1)
  })

  test('three seconds after the last change of its dates', async () => {
    const { actor, requests, wait } = await shown()
    actor.send({ type: 'dates', range: YESTERDAY })
    wait(2999)
    const range = { from: YESTERDAY.from, to: TODAY.to }
    actor.send({ type: 'dates', range })
    wait(2999)
    expect(requests).toHaveLength(1)
    wait(1)
    expect(requests[1]).toMatchObject({ filters: { ...UNFILTERED, range }, skip: 0, limit: 2 })
  })

  test('quietly and as far as it was when the day is over: whoever stands in it stays there', async () => {
    const { actor, requests, answer } = await shown()
    actor.send({ type: 'dates', range: TODAY })
    actor.send({ type: 'filter', things: null, types: null })
    await answer(answerOf([notificationAt(9), notificationAt(8)], { hasMore: true, notificationsCount: 4 }))
    actor.send({ type: 'loadMore' })
    await answer(answerOf([notificationAt(7)]))
    const range = { from: TODAY.from, to: TOMORROW.to }
    actor.send({ type: 'dayOver', range })
    expect(requests.at(-1)).toEqual({
      filters: { ...UNFILTERED, range },
      skip: 0,
      limit: 3,
      isBackground: true,
    })
  })

  test('at once with other filters, from its beginning', async () => {
    const { actor, requests, answer, ids } = await shown()
    actor.send({ type: 'loadMore' })
    await answer(answerOf([notificationAt(7)]))
    actor.send({ type: 'filter', things: null, types: ['vehicleOffline'] })
    expect(requests.at(-1)).toEqual({
      filters: { ...UNFILTERED, types: ['vehicleOffline'] },
      skip: 0,
      limit: 2,
      isBackground: false,
    })
    await answer(answerOf([notificationAt(3, { type: 'vehicleOffline' })]))
    expect(ids()).toEqual(['f3'])
  })

  test('by Load More, which appends; the offset grows by what is loaded', async () => {
    const { actor, requests, answer, ids } = await shown()
    actor.send({ type: 'loadMore' })
    expect(requests[1]).toMatchObject({ skip: 2, limit: 2 })
    await answer(answerOf([notificationAt(7)], { notificationsCount: 3 }))
    expect(ids()).toEqual(['f9', 'f8', 'f7'])
    actor.send({ type: 'loadMore' })
    expect(requests).toHaveLength(2)
  })

  test('again when it failed and somebody tries again', async () => {
    const { actor, requests, now, fail } = started()
    actor.send({ type: 'view' })
    await fail('No answer')
    expect([now().value, now().context.error]).toEqual(['failed', 'No answer'])
    actor.send({ type: 'retry' })
    expect([now().value, now().context.error, requests.length]).toEqual(['loading', null, 2])
  })

  test('what is shown stays when the next page does not come', async () => {
    const { actor, now, fail, ids } = await shown()
    actor.send({ type: 'loadMore' })
    await fail('No answer')
    expect([now().value, now().context.error]).toEqual(['ready', 'No answer'])
    expect(ids()).toEqual(['f9', 'f8'])
  })
})

describe('what comes live', () => {
  test('stands in front and grows count and offset, once however often it is told', async () => {
    const { actor, requests, ids, count } = await shown()
    for (let i = 0; i < 2; i++) actor.send({ type: 'told', notification: notificationAt(101) })
    expect([ids(), count()]).toEqual([['f101', 'f9', 'f8'], 4])
    actor.send({ type: 'loadMore' })
    expect(requests.at(-1)?.skip).toBe(3)
  })

  test('is passed over where it does not match, and counts as unread all the same', async () => {
    const { actor, ids, count, unread } = await shown()
    const { createdAt } = notificationAt(0, { createdAt: new Date(YESTERDAY.from).toISOString() })
    actor.send({ type: 'told', notification: notificationAt(101, { createdAt }) })
    expect([ids(), count(), unread()]).toEqual([['f9', 'f8'], 3, 4])
  })

  test('while a page is on its way is neither lost nor shown twice', async () => {
    const { actor, answer, ids, count } = await shown()
    actor.send({ type: 'loadMore' })
    actor.send({ type: 'told', notification: notificationAt(101) })
    actor.send({ type: 'told', notification: notificationAt(102) })
    // As of 101: what came at 102 the server did not know.
    await answer(answerOf([notificationAt(8), notificationAt(7)], { seq: 101, notificationsCount: 4 }))
    expect([ids(), count()]).toEqual([['f102', 'f101', 'f9', 'f8', 'f7'], 5])
  })

  test('late, where it happened', async () => {
    const { actor, ids, count } = await shown()
    const { createdAt } = notificationAt(8)
    actor.send({ type: 'told', notification: notificationAt(101, { createdAt }) })
    expect([ids(), count()]).toEqual([['f9', 'f101', 'f8'], 4])
    actor.send({
      type: 'told',
      notification: notificationAt(102, { createdAt: notificationAt(2).createdAt }),
    })
    expect([ids(), count()]).toEqual([['f9', 'f101', 'f8'], 5])
  })

  test('found late, in the dates in which it happened and in those in which it was told', async () => {
    const { actor, ids } = await shown()
    const [today, tomorrow] = [notificationAt(2).createdAt, new Date(TODAY.to + 1).toISOString()]
    const yesterday = new Date(TODAY.from - 1).toISOString()
    const publish = (seq: number, createdAt: string, openedAt: string) => {
      const foundLate = { since: openedAt, openedAt, knownSince: createdAt, readings: 7 }
      actor.send({ type: 'told', notification: notificationAt(seq, { createdAt, foundLate }) })
    }
    publish(101, tomorrow, today)
    publish(102, notificationAt(102).createdAt, yesterday)
    publish(103, tomorrow, yesterday)
    expect(ids()).toEqual(['f101', 'f102', 'f9', 'f8'])
  })

  test('changes entries in place, those that come later too', async () => {
    const { actor, answer, now } = await shown()
    const comments = () => now().context.listed.entries.map(({ comments }) => comments.map(({ _id }) => _id))
    for (let i = 0; i < 2; i++) actor.send({ type: 'changed', fact: commentOn('f8', 103) })
    expect(comments()).toEqual([[], ['c103']])
    actor.send({ type: 'loadMore' })
    actor.send({ type: 'changed', fact: commentOn('f7', 104) })
    await answer(answerOf([notificationAt(7)], { seq: 102 }))
    expect(comments()).toEqual([[], ['c103'], ['c104']])
  })

  test('is asked for where it was not told, as far as the list was loaded', async () => {
    const { actor, requests, answer, ids } = await shown()
    actor.send({ type: 'loadMore' })
    await answer(answerOf([notificationAt(7)]))
    actor.send({ type: 'toldFrom', seq: 500 })
    expect(requests.at(-1)).toMatchObject({ skip: 0, limit: 3, isBackground: true })
    // Read before the news began to come: it is asked again.
    await answer(answerOf([notificationAt(9)], { seq: 499 }))
    expect(requests.slice(3)).toMatchObject([{ skip: 0, limit: 3, isBackground: true }])
    await answer(answerOf([notificationAt(200), notificationAt(9), notificationAt(8)], { seq: 501 }))
    expect(ids()).toEqual(['f200', 'f9', 'f8'])
  })
})

describe('what is unread', () => {
  test('is as the server counted it, and what came since', async () => {
    const { actor, unread } = await shown()
    expect(unread()).toBe(3)
    actor.send({ type: 'told', notification: notificationAt(101) })
    expect(unread()).toBe(4)
  })

  test('is nothing when it was seen, until more comes', async () => {
    const { actor, unread } = await shown()
    actor.send({ type: 'told', notification: notificationAt(101) })
    actor.send({ type: 'seen', upTo: 101, seq: 101 })
    expect(unread()).toBe(0)
    actor.send({ type: 'told', notification: notificationAt(105) })
    expect(unread()).toBe(1)
    // Word of it comes back: what came since is not seen.
    actor.send({ type: 'seen', upTo: 101, seq: 106 })
    expect(unread()).toBe(1)
  })

  test('stays seen while what was missed is asked for', async () => {
    const { actor, answer, unread } = await shown()
    actor.send({ type: 'seen', upTo: 100, seq: 100 })
    actor.send({ type: 'told', notification: notificationAt(101) })
    actor.send({ type: 'toldFrom', seq: 500 })
    expect(unread()).toBe(1)
    await answer(answerOf([notificationAt(200), notificationAt(101)], { seq: 501, unread: 2 }))
    expect(unread()).toBe(2)
  })

  test('stays as far as another window saw it while what was missed is asked for', async () => {
    const { actor, answer, unread } = await shown()
    actor.send({ type: 'told', notification: notificationAt(101) })
    actor.send({ type: 'told', notification: notificationAt(102) })
    actor.send({ type: 'loadMore' })
    await answer(answerOf([notificationAt(7)], { seq: 102, unread: 5 }))
    actor.send({ type: 'seen', upTo: 101, seq: 103 })
    expect(unread()).toBe(1)
    actor.send({ type: 'toldFrom', seq: 500 })
    expect(unread()).toBe(1)
  })

  test('is asked for where another window saw less than this one can count', async () => {
    const { actor, requests, answer, unread } = await shown()
    actor.send({ type: 'seen', upTo: 8, seq: 110 })
    expect(requests).toHaveLength(2)
    await answer(answerOf([notificationAt(9), notificationAt(8)], { seq: 111, unread: 1 }))
    expect(unread()).toBe(1)
  })
})
