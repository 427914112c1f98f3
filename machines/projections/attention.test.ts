import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact, FactOf, NewFact } from '../contracts/facts.ts'
import type { ViolationType } from '../contracts/scalars.ts'
import { isRepeat } from '../rules/repeats.ts'
import {
  type Attention,
  commentsOn,
  emptyAttention,
  evolveAttention,
  passengerCheckOf,
  seenBy,
} from './attention.ts'
import { emptyDirectory, evolve } from './directory.ts'
import { endOf } from './violations.ts'

const START = 1_800_000_000_000
const MINUTE = 60_000
const TYPES: ViolationType[] = ['HIGH_TEMPERATURE_DETECTED', 'LOW_HUMIDITY_DETECTED']
const imeiOf = (deviceNo: number) => String(350_000_000_000_000 + deviceNo)
const at = START
const companyId = 'c'

const directory = emptyDirectory()
for (const [deviceNo, type] of (['vehicle', 'warehouse'] as const).entries())
  evolve(directory, {
    ...stored(
      {
        type: 'device.registered',
        at,
        companyId,
        data: {
          no: deviceNo,
          imei: imeiOf(deviceNo),
          companyId,
          groupId: null,
          name: '',
          plateNumber: '',
          vehicleMakeAndModel: '',
          type,
          source: 'world',
        },
      },
      deviceNo,
    ),
  })

function stored(fact: NewFact, i: number): Fact {
  return { ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at } as Fact
}
function fold(facts: readonly Fact[], attention = emptyAttention()): Attention {
  for (const fact of facts) evolveAttention(attention, directory, fact)
  return attention
}
const folded = (...facts: NewFact[]) => fold(facts.map(stored))

type Step = {
  what: 'open' | 'clear' | 'acknowledge' | 'replace'
  no: number
  type: ViolationType
  minutes: number
  value: number
  threshold: number
  which: number
}
const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom('open', 'open', 'clear', 'clear', 'acknowledge', 'acknowledge', 'replace'),
    no: fc.nat(1),
    type: fc.constantFrom(...TYPES),
    minutes: fc.nat(70),
    value: fc.integer({ min: -3, max: 3 }),
    threshold: fc.constantFrom(8, 8, 8, 9),
    which: fc.nat(50),
  }),
  { maxLength: 60 },
)

type Opened = FactOf<'violation.opened'>
type Cleared = FactOf<'violation.cleared'>
type Acknowledged = FactOf<'violation.acknowledged'>
/** A device has an imei in each ten. */
const deviceOf = (imei: string) => imei.at(-1)
const alike = (a: Opened, b: Opened) =>
  deviceOf(a.data.imei) === deviceOf(b.data.imei) && a.data.type === b.data.type

/** What evaluation and people may record: of one device and type one violation after the other, acknowledged at any time. */
function factsOf(all: readonly Step[]): Fact[] {
  const facts: Fact[] = []
  const open = new Map<string, Opened>()
  const opened: Opened[] = []
  const imeis = [imeiOf(0), imeiOf(1)]
  let now = START
  for (const { what, no: deviceNo, type, minutes, value, threshold, which } of all) {
    now += minutes * MINUTE
    const imei = imeis[deviceNo] as string
    const key = `${deviceNo} ${type}`
    const current = open.get(key)
    const about = { at: now, companyId }
    const add = (fact: NewFact) => facts.push(stored(fact, facts.length))
    if (what === 'open' && current === undefined) {
      const violationId = `v${facts.length}`
      const data = { violationId, imei, type, threshold, delaySeconds: 60, clearMargin: 1, since: now, value }
      add({ ...about, type: 'violation.opened', data: { ...data, lat: null, lng: null, readings: [] } })
      open.set(key, facts.at(-1) as Opened)
      opened.push(facts.at(-1) as Opened)
    } else if (what === 'clear' && current !== undefined) {
      const { violationId } = current.data
      const worst = current.data.value + (type.startsWith('HIGH') ? 1 : -1)
      const data = {
        violationId,
        imei,
        type,
        value: 0,
        worst,
        durationSeconds: 0,
        reason: 'back-inside' as const,
      }
      add({ ...about, type: 'violation.cleared', data })
      open.delete(key)
    } else if (what === 'replace') {
      const after = imeiOf(facts.length * 10 + 10 + deviceNo)
      imeis[deviceNo] = after
      add({ ...about, type: 'device.tracker-replaced', data: { no: deviceNo, before: imei, after } })
    } else if (what === 'acknowledge' && opened.length > 0) {
      const { id, data } = opened[which % opened.length] as Opened
      const of = { violationId: data.violationId, imei: data.imei, type: data.type }
      add({
        ...about,
        type: 'violation.acknowledged',
        data: { ...of, notificationId: id, userName: `U${facts.length}`, comment: '' },
      })
    }
  }
  return facts
}

/** The rule said once more, by looking through all there was before a violation opened. */
function repeatedBy(opened: Opened, facts: readonly Fact[]): string | undefined {
  const before = facts.filter(({ seq }) => seq < opened.seq)
  const last = before.findLast(
    (fact): fact is Opened => fact.type === 'violation.opened' && alike(fact, opened),
  )
  if (last === undefined) return undefined
  const clearedOf = (id: string) =>
    before.find((fact): fact is Cleared => fact.type === 'violation.cleared' && fact.data.violationId === id)
  const isTaken = before.some(
    ({ type, data }) => type === 'violation.acknowledged' && data.violationId === last.data.violationId,
  )
  const taken = isTaken ? last.data.violationId : repeatedBy(last, facts)
  const root = before.find(
    (fact): fact is Opened => fact.type === 'violation.opened' && fact.data.violationId === taken,
  )
  const [over, end] = [clearedOf(last.data.violationId), clearedOf(taken ?? '')]
  if (root === undefined || over === undefined || end === undefined) return undefined
  const { threshold } = root.data
  return isRepeat({ ...opened.data, at: opened.at }, { threshold, worst: end.data.worst }, over.at)
    ? taken
    : undefined
}

describe('violations', () => {
  test('whatever opens, ends and is acknowledged when: ends, first acknowledgements and repeats are those of the log', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const facts = factsOf(all)
        const { violations } = fold(facts)
        for (const opened of facts) {
          if (opened.type !== 'violation.opened') continue
          const { violationId } = opened.data
          const ofIt = facts.filter(({ data }) => 'violationId' in data && data.violationId === violationId)
          const cleared = ofIt.find(({ type }) => type === 'violation.cleared')
          expect(endOf(violations, opened)).toEqual(cleared && { seq: cleared.seq, at: cleared.at })
          const first = ofIt.find((fact): fact is Acknowledged => fact.type === 'violation.acknowledged')
          expect(violations.acknowledged.get(violationId)?.userName).toBe(first?.data.userName)
          expect(violations.repeats.get(violationId)).toBe(repeatedBy(opened, facts))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('wherever it is saved and goes on, it knows the same', () => {
    fc.assert(
      fc.property(steps, fc.nat(60), (all, cut) => {
        const facts = factsOf(all)
        const saved = deserialize(serialize(fold(facts.slice(0, cut)))) as Attention
        expect(fold(facts.slice(cut), saved)).toEqual(fold(facts))
      }),
      { numRuns: 50 },
    )
  })

  test('of 20,000 that are over and nobody took care of, few are remembered by more than when they ended', () => {
    const attention = emptyAttention()
    let seq = 0
    for (let deviceNo = 0; deviceNo < 20_000; deviceNo++) {
      const about = { at: START + deviceNo * MINUTE, companyId, v: 1, recordedAt: START }
      const of = {
        violationId: `v${deviceNo}`,
        imei: imeiOf(deviceNo),
        type: 'HIGH_TEMPERATURE_DETECTED' as const,
      }
      const opened: NewFact = {
        ...about,
        type: 'violation.opened',
        data: {
          ...of,
          threshold: 8,
          delaySeconds: 0,
          clearMargin: 1,
          since: START,
          value: 9,
          lat: null,
          lng: null,
          readings: [],
        },
      }
      const cleared: NewFact = {
        ...about,
        type: 'violation.cleared',
        data: { ...of, value: 7, worst: 9, durationSeconds: 0, reason: 'back-inside' },
      }
      for (const fact of [opened, cleared]) evolveAttention(attention, directory, stored(fact, seq++))
    }
    expect(attention.violations.spells.size).toBeLessThan(4_000)
    expect(endOf(attention.violations, { seq: 1 })).toEqual({ seq: 2, at: START })
    expect(endOf(attention.violations, { seq: 39_999 })?.seq).toBe(40_000)
  })
})

const comment = (notificationId: string, text: string): NewFact => ({
  type: 'notification.commented',
  at,
  companyId,
  data: { notificationId, commentId: text, imei: imeiOf(0), userName: 'Amna', comment: text },
})
const seen = (userId: string, upTo: number): NewFact => ({
  type: 'notifications.seen',
  at,
  companyId,
  data: { userId, upTo },
})
const status = (deviceNo: number, to: 'disconnected' | 'online'): NewFact => ({
  type: 'device-status.changed',
  at,
  companyId,
  data: { imei: imeiOf(deviceNo), from: 'online', to },
})
const checked = (isPassenger: boolean): NewFact => ({
  type: 'passenger.checked',
  at,
  companyId,
  data: { imei: imeiOf(0), isPassenger },
})
const user = (userId: string): NewFact => ({
  type: 'user.created',
  at,
  companyId,
  data: {
    userId,
    companyId,
    groupId: 'g',
    firstName: 'A',
    lastName: 'B',
    userName: userId,
    email: 'a@b.example',
    phone: '',
    type: 'Manager',
    role: 'user',
  },
})

test('comments stand in the order in which they were written, each under its notification', () => {
  const attention = folded(comment('f1', 'one'), comment('f2', 'two'), comment('f1', 'three'))
  expect(commentsOn(attention, 'f1').map(({ comment: text }) => text)).toEqual(['one', 'three'])
  expect(commentsOn(attention, 'f2')).toEqual([
    { _id: 'two', userName: 'Amna', comment: 'two', createdAt: new Date(at).toISOString() },
  ])
})

test('what somebody has seen never becomes less, and begins when they came', () => {
  const attention = folded(seen('u', 7), user('late'), seen('u', 5))
  expect([seenBy(attention, 'u'), seenBy(attention, 'late'), seenBy(attention, 'nobody')]).toEqual([7, 2, 0])
})

test('an unplugged vehicle asks until somebody answers, and asks anew the next time; a warehouse does not', () => {
  const asks = (attention: Attention, deviceNo: number) => {
    const { asked: requested, answered } = passengerCheckOf(attention, deviceNo)
    return requested > answered
  }
  expect(asks(folded(status(0, 'disconnected'), status(0, 'online')), 0)).toBe(true)
  expect(asks(folded(status(0, 'disconnected'), checked(true)), 0)).toBe(false)
  expect(asks(folded(status(0, 'disconnected'), checked(true), status(0, 'disconnected')), 0)).toBe(true)
  expect(asks(folded(status(1, 'disconnected')), 1)).toBe(false)
})
