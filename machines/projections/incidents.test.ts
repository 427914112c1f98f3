import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isViolation } from '../contracts/entities/incidents.ts'
import type { Fact, NewFact } from '../contracts/facts.ts'
import type { ThingStatus } from '../contracts/scalars.ts'
import {
  deskOf,
  emptyIncidents,
  evolveIncidents,
  incidentsOf,
  MOST_OVER,
  openedSeqOf,
  shelvingOf,
} from './incidents.ts'
import { OVER_FOR } from './over-list.ts'

const START = 1_800_000_000_000
const MINUTE = 60_000
const kindOf = (no: number) => ({
  imei: String(350_000_000_000_000 + no),
  type: 'HIGH_TEMPERATURE_DETECTED' as const,
})
const stored = (fact: NewFact, i: number): Fact =>
  ({ ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at }) as Fact

type Step = {
  what:
    | 'open'
    | 'clear'
    | 'acknowledge'
    | 'take'
    | 'release'
    | 'shelve'
    | 'unshelve'
    | 'lose'
    | 'find'
    | 'unplug'
  no: number
}

const STATUS_AFTER = { lose: 'offline', find: 'online', unplug: 'disconnected' } as const

/** What evaluation and people record of two devices, a minute between two. */
function factsOf(steps: readonly Step[]): Fact[] {
  const facts: Fact[] = []
  const open = new Map<number, string>()
  const statuses = new Map<number, ThingStatus>()
  for (const { what, no } of steps) {
    const about = { at: START + facts.length * MINUTE, companyId: 'c', by: `u${facts.length % 3}` }
    const kind = kindOf(no)
    const violationId = open.get(no)
    const add = (fact: NewFact) => facts.push(stored(fact, facts.length))
    const userName = `U ${facts.length % 3}`
    if (what === 'lose' || what === 'find' || what === 'unplug') {
      const from = statuses.get(no) ?? 'online'
      const to = STATUS_AFTER[what]
      if (from === to) continue
      statuses.set(no, to)
      const heardAt = from === 'online' && to === 'offline' ? { heardAt: about.at - MINUTE } : {}
      add({ ...about, type: 'device-status.changed', data: { imei: kind.imei, from, to, ...heardAt } })
    } else if (what === 'shelve')
      add({
        ...about,
        type: 'violation.shelved',
        data: { ...kind, until: about.at + 9 * MINUTE, reason: 'r', userName },
      })
    else if (what === 'unshelve')
      add({ ...about, type: 'violation.unshelved', data: { ...kind, opened: null } })
    else if (what === 'open' && violationId === undefined) {
      const id = `v${facts.length}`
      open.set(no, id)
      const limits = { threshold: 8, delaySeconds: 60, clearMargin: 1 }
      const data = {
        violationId: id,
        ...kind,
        ...limits,
        since: about.at - MINUTE,
        value: 9,
        lat: null,
        lng: null,
      }
      add({ ...about, type: 'violation.opened', data: { ...data, readings: [] } })
    } else if (violationId !== undefined && what === 'clear') {
      open.delete(no)
      const data = {
        violationId,
        ...kind,
        value: 7,
        worst: 9,
        durationSeconds: 60,
        reason: 'back-inside' as const,
      }
      add({ ...about, type: 'violation.cleared', data })
    } else if (violationId !== undefined && what !== 'open' && what !== 'clear') {
      const data = { violationId, notificationId: 'f1', ...kind, userName }
      if (what === 'acknowledge')
        add({ ...about, type: 'violation.acknowledged', data: { ...data, comment: '' } })
      else add({ ...about, type: what === 'take' ? 'violation.taken' : 'violation.released', data })
    }
  }
  return facts
}

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(
      ...(['open', 'clear', 'acknowledge', 'take', 'release', 'shelve', 'unshelve'] as const),
      ...(['lose', 'find', 'unplug'] as const),
    ),
    no: fc.nat(1),
  }),
  { maxLength: 60, size: 'max' },
)
const fold = (facts: readonly Fact[], incidents = emptyIncidents()) => {
  for (const fact of facts) evolveIncidents(incidents, fact)
  return incidents
}
const desk = (incidents: ReturnType<typeof emptyIncidents>) => deskOf(incidents, START, () => true)

test('whoever asks and then hears facts knows what the server knows', () => {
  fc.assert(
    fc.property(steps, fc.nat(60), (all, requested) => {
      const facts = factsOf(all)
      const cut = requested % (facts.length + 1)
      const known = incidentsOf(desk(fold(facts.slice(0, cut))))
      expect(desk(fold(facts.slice(cut), known))).toEqual(desk(fold(facts)))
    }),
  )
})

test('each violation is open or over, and has one who has it: who took it last, or acknowledged it while nobody had', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const facts = factsOf(all)
      const { open, over } = desk(fold(facts))
      expect(
        [...open, ...over]
          .filter(isViolation)
          .map(({ violationId }) => violationId)
          .sort(),
      ).toEqual(
        facts.flatMap(({ type, data }) => (type === 'violation.opened' ? [data.violationId] : [])).sort(),
      )
      for (const { violationId, holder } of [...open, ...over])
        expect(holder?.userId ?? null).toBe(holderOf(facts, violationId))
    }),
  )
})

/** By the book: taken, given up, or acknowledged for the first time while nobody had it. */
function holderOf(facts: readonly Fact[], violationId: string): string | null {
  let holder: string | null = null
  let isAcknowledged = false
  for (const { type, by = '', data } of facts) {
    if (!('violationId' in data) || data.violationId !== violationId) continue
    if (type === 'violation.taken') holder = by
    if (type === 'violation.released') holder = null
    if (type !== 'violation.acknowledged') continue
    if (!isAcknowledged) holder ??= by
    isAcknowledged = true
  }
  return holder
}

test('a kind is shelved until its time or until it is ended, another kind of the device is not', () => {
  const incidents = fold(factsOf([{ what: 'shelve', no: 0 }]))
  expect(shelvingOf(incidents, kindOf(0), START + 9 * MINUTE - 1)?.reason).toBe('r')
  expect(shelvingOf(incidents, kindOf(0), START + 9 * MINUTE)).toBeUndefined()
  expect(shelvingOf(incidents, { ...kindOf(0), type: 'LOW_HUMIDITY_DETECTED' }, START)).toBeUndefined()
  expect(
    shelvingOf(
      fold(
        factsOf([
          { what: 'shelve', no: 0 },
          { what: 'unshelve', no: 0 },
        ]),
      ),
      kindOf(0),
      START,
    ),
  ).toBeUndefined()
})

test('what late readings say never was is listed no more; what lasts after all is open again', () => {
  const facts = factsOf([
    { what: 'open', no: 0 },
    { what: 'clear', no: 0 },
  ])
  const times = { since: START, openedAt: START, threshold: 8, worst: 9 }
  const revise = (after: (typeof times & { clearedAt: number | null }) | null): Fact =>
    stored(
      {
        type: 'violation.revised',
        at: START,
        companyId: 'c',
        data: {
          violationId: 'v0',
          ...kindOf(0),
          before: { ...times, clearedAt: START },
          after,
          receivedFrom: START,
          receivedTo: START,
          readingsLate: 1,
        },
      },
      9,
    )
  const lasting = fold([...facts, revise({ ...times, clearedAt: null })])
  expect(openedSeqOf(lasting, kindOf(0))).toBe(1)
  expect(desk(lasting)).toMatchObject({ open: [{ violationId: 'v0', clearedAt: null }], over: [] })
  expect(desk(fold([...facts, revise(null)]))).toMatchObject({ open: [], over: [] })
})

test('who sees a device sees what is about it, and what is over for a day', () => {
  const incidents = fold(
    factsOf([
      { what: 'open', no: 0 },
      { what: 'clear', no: 0 },
      { what: 'open', no: 1 },
      { what: 'shelve', no: 1 },
    ]),
  )
  const { imei } = kindOf(0)
  expect(deskOf(incidents, START, (one) => one.imei === imei)).toMatchObject({
    open: [],
    shelved: [],
    over: [{ imei }],
  })
  expect(deskOf(incidents, START + OVER_FOR + MINUTE, () => true)).toMatchObject({ over: [], shelved: [] })
})

test('of much that is over the newest are answered, and that there is more', () => {
  const facts = factsOf(
    Array.from({ length: MOST_OVER + 2 }, (_, no) => [
      { what: 'open' as const, no },
      { what: 'clear' as const, no },
    ]).flat(),
  )
  const { over, hasMoreOver } = desk(fold(facts))
  expect(over).toHaveLength(MOST_OVER)
  expect(over.map(({ imei }) => imei)).toEqual(
    Array.from({ length: MOST_OVER }, (_, i) => kindOf(MOST_OVER + 1 - i).imei),
  )
  expect(hasMoreOver).toBe(true)
  const seen = kindOf(0).imei
  expect(deskOf(fold(facts), START, ({ imei }) => imei === seen)).toMatchObject({
    over: [{ imei: seen }],
    hasMoreOver: false,
  })
})
