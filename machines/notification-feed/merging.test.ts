import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import type { Notification } from '../contracts/entities/notifications.ts'
import { type Answered, type ChangingFact, matches, seqOf, withChanges } from './entries.ts'
import { notificationFeedMachine, type PageRequest } from './notification-feed.machine.ts'
import { commentOn, NOW, notificationAt, TODAY, UNFILTERED } from './notification-feed.samples.ts'
import { unreadOf } from './unread.ts'

const PAGE = 3
/** What a server tells one by one after a cut. */
const MISSED = 2
const FILTERS = { ...UNFILTERED, types: ['HIGH_TEMPERATURE_DETECTED'] as const }

type Fact = { seq: number } & ({ notification: Notification } | { change: ChangingFact } | { seen: number })

const HOUR = 3_600_000

function revisionOf(
  { violationId, thing, createdAt }: Notification,
  seq: number,
  how: 'gone' | 'over' | 'earlier',
): ChangingFact {
  const openedAt = Date.parse(createdAt)
  const before = { since: openedAt - 60_000, openedAt, clearedAt: null, threshold: 8, worst: 9.4 }
  const after = {
    gone: null,
    over: { ...before, clearedAt: openedAt + 60_000 },
    earlier: { ...before, since: openedAt - HOUR },
  }[how]
  const received = { receivedFrom: NOW, receivedTo: NOW, readingsLate: 1 }
  const about = { violationId: violationId ?? '', imei: thing, type: 'HIGH_TEMPERATURE_DETECTED' as const }
  const fact = { seq, id: `f${seq}`, v: 1, at: openedAt, recordedAt: NOW, companyId: 'indus' }
  return { ...fact, type: 'violation.revised', data: { ...about, before, after, ...received } }
}

/** A server with its log, a link that tells it in order, and one list that follows both. */
function fakeServer() {
  const log: Fact[] = []
  let sent = 0
  let isCut = false
  const requests: { input: PageRequest; answer: (given: Answered) => void }[] = []
  const answered: (() => void)[] = []
  const actor = createActor(
    notificationFeedMachine.provide({
      actors: {
        loadPage: fromPromise<Answered, PageRequest>(
          ({ input }) => new Promise((answer) => void requests.push({ input, answer })),
        ),
      },
    }),
    { input: { filters: FILTERS, pageSize: PAGE }, clock: new SimulatedClock() },
  ).start()

  const head = () => log.length
  const all = (): Notification[] => log.flatMap((one) => ('notification' in one ? one.notification : []))
  const changes = () => log.flatMap((one) => ('change' in one ? one.change : []))
  const seenTo = () => Math.max(-1, ...log.flatMap((one) => ('seen' in one ? one.seen : [])))
  const unread = () => all().filter((one) => seqOf(one) > seenTo()).length
  const list = () =>
    all()
      .filter((one) => matches(FILTERS, one))
      .map((one) => withChanges(one, changes()))
      .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || seqOf(b) - seqOf(a))

  function send(fact: Fact): void {
    if ('notification' in fact) actor.send({ type: 'told', notification: fact.notification })
    else if ('change' in fact) actor.send({ type: 'changed', fact: fact.change })
    else actor.send({ type: 'seen', upTo: fact.seen, seq: fact.seq })
  }

  const steps = {
    /** minutes ago, and whether the list asks for such a thing */
    happens: (ago: number, isWanted: boolean) => {
      const seq = head() + 1
      const { createdAt } = notificationAt(-ago)
      const type = isWanted ? 'HIGH_TEMPERATURE_DETECTED' : 'vehicleOffline'
      log.push({ seq, notification: notificationAt(seq, { createdAt, type }) })
    },
    /** hours ago, and told now, which may be outside the dates that are asked for when it happened within them */
    isFoundLate: (ago: number, isCreatedToday: boolean) => {
      const seq = head() + 1
      const opened = new Date(TODAY.to - ago * HOUR).toISOString()
      const createdAt = isCreatedToday
        ? notificationAt(seq).createdAt
        : new Date(TODAY.to + HOUR).toISOString()
      const foundLate = { since: opened, openedAt: opened, knownSince: createdAt, readings: 7 }
      log.push({ seq, notification: notificationAt(seq, { createdAt, foundLate }) })
    },
    /** late readings say that it never was, was over, or began earlier */
    isRevised: (which: number, how: 'gone' | 'over' | 'earlier') => {
      const one = all()[which % Math.max(1, all().length)]
      const seq = head() + 1
      if (one) log.push({ seq, change: revisionOf(one, seq, how) })
    },
    isCommented: (which: number) => {
      const one = all()[which % Math.max(1, all().length)]
      const seq = head() + 1
      if (one) log.push({ seq, change: commentOn(one._id, seq) })
    },
    isSeen: (back: number) => {
      const seq = head() + 1
      log.push({ seq, seen: Math.max(0, head() - back) })
    },
    isSent: () => {
      const fact = log[sent]
      if (isCut || fact === undefined) return
      send(fact)
      sent++
    },
    isCut: () => {
      isCut = true
    },
    /** told again from a little before, as when a message was heard and its receipt was not; or not at all after too long */
    isBack: (again: number) => {
      isCut = false
      if (head() - sent > MISSED) {
        sent = head()
        actor.send({ type: 'toldFrom', seq: sent })
      } else sent = Math.max(0, sent - again)
    },
    isRead: () => {
      const request = requests.shift()
      if (request === undefined) return
      const { skip, limit } = request.input
      const whole = list()
      const answer: Answered = {
        notifications: whole.slice(skip, skip + limit),
        notificationsCount: whole.length,
        hasMore: skip + limit < whole.length,
        unread: unread(),
        seq: head(),
      }
      answered.push(() => request.answer(answer))
    },
    isAnswered: async () => {
      answered.shift()?.()
      for (let i = 0; i < 4; i++) await Promise.resolve()
    },
    wantsMore: () => actor.send({ type: 'loadMore' }),
    looks: () => actor.send({ type: 'view' }),
  }
  const settle = async () => {
    while (requests.length > 0 || answered.length > 0) {
      steps.isRead()
      await steps.isAnswered()
    }
  }
  const shown = () => actor.getSnapshot().context
  return { steps, settle, shown, list, unread, log, sent: () => sent }
}

type Step = [keyof ReturnType<typeof fakeServer>['steps'], ...args: unknown[]]
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(fc.constant('happens' as const), fc.nat(12), fc.boolean()) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('isFoundLate' as const), fc.nat(30), fc.boolean()) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constant('isRevised' as const),
        fc.nat(20),
        fc.constantFrom('gone', 'over', 'earlier'),
      ),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('isCommented' as const), fc.nat(20)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('isSeen' as const), fc.nat(6)) },
    { weight: 6, arbitrary: fc.constant<Step>(['isSent']) },
    { weight: 1, arbitrary: fc.constant<Step>(['isCut']) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('isBack' as const), fc.nat(3)) },
    { weight: 4, arbitrary: fc.constant<Step>(['isRead']) },
    { weight: 4, arbitrary: fc.constant<Step>(['isAnswered']) },
    { weight: 3, arbitrary: fc.constant<Step>(['wantsMore']) },
    { weight: 1, arbitrary: fc.constant<Step>(['looks']) },
  ),
  { maxLength: 60 },
)

test('however pages, live ones, cuts and snapshots fall together, the list ends as the server’s, each once', () =>
  fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { steps: can, settle, shown, list, unread, log, sent } = fakeServer()
      for (const [step, ...args] of taken) {
        await (can[step] as (...given: unknown[]) => unknown)(...args)
        const ids = shown().listed.entries.map(({ _id }) => _id)
        expect(new Set(ids).size).toBe(ids.length)
      }
      can.isBack(0)
      while (sent() < log.length) can.isSent()
      can.looks()
      await settle()
      expect(shown().listed.entries).toEqual(list().slice(0, shown().listed.entries.length))
      expect(shown().listed.count).toBe(list().length)
      expect(unreadOf(shown().unread)).toBe(unread())
      while (shown().listed.hasMore) {
        can.wantsMore()
        await settle()
      }
      expect(shown().listed.entries).toEqual(list())
    }),
    { numRuns: 300 },
  ))
