import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { isChanging, withChanges } from '#machines/notification-feed/entries.ts'
import { imeiOf, START, smallFleet } from '../evaluation/testing/small-fleet.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import {
  sensorUnplugged,
  statusChanged,
  violationFound,
  violationFoundLate,
  violationOpened,
  violationRevised,
} from '../testing/facts.ts'
import { createNotificationIndex } from './notification-index.ts'
import { isViolationFact, notificationOf, notifiedAt } from './notification-of.ts'
import { startProjecting } from './read-models.ts'

const DEVICES = 4
const at = (minutes: number): number => START + minutes * 60_000

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

/** A small fleet; `index()` follows it from then on. */
async function setUp() {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => START } })
  open.push(store)
  await store.log.append('registry', smallFleet(DEVICES))
  const readModels = startProjecting(store)
  return {
    store,
    readModels,
    index: () => createNotificationIndex(store.log, readModels),
    async append(...facts: NewFact[]) {
      await store.log.append('published', facts)
      await readModels.settled(store.log.head())
    },
  }
}

const TYPES = ['HIGH_TEMPERATURE_DETECTED', 'LOW_TEMPERATURE_DETECTED', 'LOW_HUMIDITY_DETECTED'] as const
/** Times crowd, so that several happen at once and many come late. */
const fact: fc.Arbitrary<NewFact> = fc
  .record({
    kind: fc.constantFrom('opened', 'found', 'late', 'unplugged', 'status', 'cleared'),
    imei: fc.nat(DEVICES - 1).map(imeiOf),
    minutes: fc.integer({ min: -20, max: 20 }),
    type: fc.constantFrom(...TYPES),
    from: fc.constantFrom('online' as const, 'offline' as const, 'disconnected' as const),
    to: fc.constantFrom('online' as const, 'offline' as const, 'disconnected' as const),
  })
  .map(({ kind, imei, minutes, type, from, to }): NewFact => {
    if (kind === 'opened') return violationOpened(imei, at(minutes), { type })
    if (kind === 'found') return violationFound(imei, at(minutes), { type })
    if (kind === 'late') return violationFoundLate(imei, at(minutes), { type })
    if (kind === 'unplugged') return sensorUnplugged(imei, at(minutes))
    if (kind === 'status') return statusChanged(imei, at(minutes), from, to)
    return { type: 'sensor.plugged-in', at: at(minutes), companyId: 'c', data: { imei } }
  })

describe('the notification index', () => {
  test('answers what a recount of the log answers, whatever came when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fact, { maxLength: 30 }), { maxLength: 6 }),
        fc.nat(5),
        fc.integer({ min: -21, max: 21 }),
        fc.nat(25),
        fc.uniqueArray(fc.nat(DEVICES - 1)),
        fc.subarray([...TYPES]),
        fc.nat(30),
        async (batches, followedFrom, first, length, devices, types, after) => {
          const { store, readModels, index, append } = await setUp()
          let following = followedFrom === 0 ? index() : undefined
          for (const [i, batch] of batches.entries()) {
            await append(...batch)
            if (i + 1 === followedFrom) following = index()
          }
          const notifications = following ?? index()
          const query = {
            from: at(first),
            to: at(first + length),
            isRequested: (no: number) => devices.includes(no),
          }
          const facts = store.log
            .readFacts(0, { limit: 10_000 })
            .filter(
              (one) => 'imei' in one.data && devices.includes(Number(one.data.imei) - Number(imeiOf(0))),
            )
          const inRange = facts
            .filter((one) => one.at >= query.from && one.at <= query.to)
            .sort((a, b) => b.at - a.at || b.seq - a.seq)
          const isWithin = (time: number) => time >= query.from && time <= query.to
          const listed = facts
            .filter((one) => isWithin(one.at) || isWithin(notifiedAt(one)))
            .sort((a, b) => notifiedAt(b) - notifiedAt(a) || b.seq - a.seq)
            .flatMap((one) => notificationOf(one, readModels) ?? [])

          const page = await notifications.find({ ...query, skip: 2, limit: 5 })
          expect(page).toEqual({
            notifications: listed.slice(2, 7),
            notificationsCount: listed.length,
            seq: store.log.head(),
          })
          const some = await notifications.find({ ...query, types, skip: 0, limit: 500 })
          expect(some.notifications).toEqual(
            listed.filter(({ type }) => types.some((requested) => requested === type)),
          )

          const opened = inRange.filter(
            (one) => isViolationFact(one) && types.some((requested) => requested === one.data.type),
          )
          const counted = await notifications.violations({ ...query, types })
          const counts = [...counted].flatMap(([no, byType]) =>
            Object.entries(byType).flatMap(([type, count]) => Array(count).fill(`${imeiOf(no)} ${type}`)),
          )
          expect(counts.sort()).toEqual(
            opened.flatMap(({ data }) => ('violationId' in data ? `${data.imei} ${data.type}` : [])).sort(),
          )

          const head = Math.max(0, store.log.head() - after)
          const news = facts.filter((one) => one.seq > head && one.type !== 'violation.found')
          expect(await notifications.countAfter(head, query.isRequested)).toBe(
            news.flatMap((one) => notificationOf(one, readModels) ?? []).length,
          )
          await store.close()
        },
      ),
      { numRuns: 100 },
    )
  })

  test('finds violations that last for months, in whatever order they were told and ranges are asked for', async () => {
    const days = (day: number): number => START + day * 86_400_000
    const one = fc.record({ from: fc.integer({ min: -120, max: 0 }), lasts: fc.option(fc.nat(100)) })
    const range = fc.record({ to: fc.integer({ min: -90, max: 0 }), length: fc.nat(30) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, { maxLength: DEVICES * TYPES.length }),
        fc.array(range, { minLength: 2, maxLength: 6 }),
        async (violations, ranges) => {
          const { store, index, append } = await setUp()
          const notifications = index()
          const opened: typeof violations = []
          const spanOf = ({ from, lasts }: (typeof violations)[number]) => ({
            openedAt: days(from),
            to: lasts === null ? null : days(from + lasts),
          })
          for (const { to, length } of ranges) {
            for (const violation of violations.slice(opened.length, opened.length + 3)) {
              const [imei, type] = [
                imeiOf(opened.length % DEVICES),
                TYPES[Math.floor(opened.length / DEVICES)],
              ]
              const { openedAt, to: clearedAt } = spanOf(violation)
              await append(violationOpened(imei, openedAt, { ...(type && { type }) }))
              if (clearedAt !== null)
                await append({
                  ...{ type: 'violation.cleared', at: clearedAt, companyId: 'c' },
                  data: {
                    ...{ violationId: `${imei}-${openedAt}`, imei, type: type ?? TYPES[0] },
                    ...{ value: 5, worst: 9, durationSeconds: 60, reason: 'back-inside' },
                  },
                } as NewFact)
              opened.push(violation)
            }
            const requested = { from: days(to - length), to: days(to) }
            const spans = await notifications.violationSpans({ ...requested, isRequested: () => true })
            expect(spans.map(({ openedAt, to }) => ({ openedAt, to }))).toEqual(
              opened
                .map(spanOf)
                .filter(
                  (span) => span.openedAt <= requested.to && (span.to ?? requested.to) >= requested.from,
                )
                .sort((a, b) => a.openedAt - b.openedAt),
            )
          }
          await store.close()
        },
      ),
      { numRuns: 60 },
    )
  })

  test('lists what was found late where it was told, and finds it by when it happened too', async () => {
    const { index, append } = await setUp()
    await append(violationOpened(imeiOf(0), at(-30)), violationFoundLate(imeiOf(1), at(-200)))
    const notifications = index()
    const all = { isRequested: () => true, skip: 0, limit: 9 }
    const late = { thing: imeiOf(1), createdAt: new Date(START).toISOString() }
    const before = await notifications.find({ ...all, from: at(-210), to: at(-190) })
    expect(before.notifications).toMatchObject([
      {
        ...late,
        message: expect.stringContaining('found late'),
        clearedAt: new Date(at(-190)).toISOString(),
        foundLate: {
          since: new Date(at(-201)).toISOString(),
          openedAt: new Date(at(-200)).toISOString(),
          knownSince: new Date(at(-140)).toISOString(),
          readings: 3,
        },
      },
    ])
    const since = await notifications.find({ ...all, from: at(-60), to: at(0) })
    expect(since.notifications).toMatchObject([late, { thing: imeiOf(0) }])
  })

  test('lists a violation that never was as over, and counts it no more', async () => {
    for (const isThere of [true, false]) {
      const { index, append } = await setUp()
      const following = isThere ? index() : undefined
      await append(violationOpened(imeiOf(0), at(-30)), violationRevised(imeiOf(0), at(-30)))
      const notifications = following ?? index()
      const all = { from: at(-60), to: at(0), isRequested: () => true }
      expect(await notifications.find({ ...all, skip: 0, limit: 9 })).toMatchObject({
        notifications: [{ revised: null, clearedAt: new Date(at(-30)).toISOString() }],
      })
      expect(await notifications.violations(all)).toEqual(new Map())
    }
  })

  test('takes what is told while it reads the log for what is told after that', async () => {
    const { store, readModels, append } = await setUp()
    const since = { since: at(-31), openedAt: at(-30), clearedAt: null, threshold: 8, worst: 9 }
    await append(violationOpened(imeiOf(0), at(-30)), violationRevised(imeiOf(0), at(-30)))
    const then = readModels.seq
    type Listener = Parameters<typeof readModels.onAdvance>[0]
    const advances: Parameters<Listener>[0][] = []
    readModels.onAdvance((advance) => advances.push(advance))
    await append(violationRevised(imeiOf(0), at(-30), { after: since }))
    const listeners: Listener[] = []
    const onAdvance = (listener: Listener) => listeners.push(listener)
    const asOfThen = Object.create(readModels, { seq: { value: then }, onAdvance: { value: onAdvance } })
    const reading = createNotificationIndex(store.log, asOfThen)
    for (const hears of listeners) advances.forEach(hears)
    const all = { from: at(-60), to: at(0), isRequested: () => true }
    expect(await reading.violationNews(all)).toEqual([then - 1, then, then + 1])
    expect(await reading.violationSpans(all)).toMatchObject([{ from: at(-31), to: null }])
  })

  test('counts no alarm that was shelved, whether it heard of that or read it', async () => {
    const { index, append } = await setUp()
    const kind = { imei: imeiOf(0), type: TYPES[0] }
    const by = { companyId: 'c', by: 'u1' }
    const shelved = (from: number, until: number): NewFact => ({
      ...{ ...by, type: 'violation.shelved', at: at(from) },
      data: { ...kind, until: at(until), reason: 'Defrost', userName: 'Ayesha Malik' },
    })
    const following = index()
    await append(
      shelved(-60, -10),
      { ...by, type: 'violation.unshelved', at: at(-50), data: { ...kind, opened: null } },
      violationOpened(imeiOf(0), at(-45)),
      shelved(-40, -10),
      violationOpened(imeiOf(0), at(-30)),
    )
    for (const each of [following, index()])
      expect(await each.alarms({ from: at(-60), to: at(0), isRequested: () => true })).toMatchObject([
        { notifiedAt: at(-45) },
      ])
  })

  describe('says of what late readings, or those of the past, revised what a window that heard of it says', () => {
    const opened = violationOpened(imeiOf(0), at(-30))
    const ending = {
      type: TYPES[0],
      value: 5,
      worst: 9.25,
      durationSeconds: 660,
      reason: 'back-inside' as const,
    }
    const cleared: NewFact = {
      type: 'violation.cleared',
      at: at(-20),
      companyId: 'c',
      data: { violationId: `${imeiOf(0)}-${at(-30)}`, imei: imeiOf(0), ...ending },
    }
    const before = { since: at(-31), openedAt: at(-30), clearedAt: null, threshold: 8, worst: 9.25 }
    const is = (
      after: Partial<typeof before> & { isSinceBefore?: true },
      fields: { isOfPast?: true } = {},
    ) => ({
      after: { ...before, ...after },
      ...fields,
    })
    const cases: [string, Partial<FactData<'violation.revised'>>][] = [
      ['it never was', { after: null }],
      ['it lasts again', is({})],
      ['it began earlier', is({ since: at(-90), openedAt: at(-80) })],
      ['it was over', { after: { ...before, since: at(-40), clearedAt: at(-20), worst: 11 } }],
      ['it began before the record', is({ since: at(-600), openedAt: at(-590) }, { isOfPast: true })],
      ['nobody knows since when', is({ since: at(-600), isSinceBefore: true }, { isOfPast: true })],
    ]
    test.each(cases)('%s', async (name, fields) => {
      const { index, append, store } = await setUp()
      await append(opened, ...(name === 'it lasts again' ? [cleared] : []))
      const notifications = index()
      const all = { from: at(-60), to: at(0), isRequested: () => true, skip: 0, limit: 9 }
      const shown = (await notifications.find(all)).notifications
      await append(violationRevised(imeiOf(0), at(-30), fields))
      const [fact] = store.log.readFacts(0, { limit: 1000, types: ['violation.revised'] })
      const heard = fact !== undefined && isChanging(fact) ? [fact] : []
      expect(heard).toHaveLength(1)
      expect(shown.map((one) => withChanges(one, heard))).toEqual(
        (await notifications.find(all)).notifications,
      )
    })
  })

  test('finds everything that was in a log of many facts', async () => {
    const { index, append } = await setUp()
    const many = Array.from({ length: 2500 }, (_, i) => violationOpened(imeiOf(i % DEVICES), at(-(i % 50))))
    await append(...many)
    const { notificationsCount } = await index().find({
      from: 0,
      to: at(1),
      isRequested: () => true,
      skip: 0,
      limit: 1,
    })
    expect(notificationsCount).toBe(2500)
  })
})
