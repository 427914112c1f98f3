import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import type { ThingStatus } from '../contracts/scalars.ts'
import { deskOf, emptyIncidents, evolveIncidents, incidentsOf, openedSeqOf } from './incidents.ts'
import { isOfLost, lostIdBy, MOST_BACK, MOST_LOST } from './lost-devices.ts'

const START = 1_800_000_000_000
const MINUTE = 60_000
const imeiOf = (no: number): string => String(350_000_000_000_000 + no)

const stored = (fact: NewFact, i: number): Fact =>
  ({ ...fact, seq: i + 1, id: `f${i + 1}`, v: 1, recordedAt: fact.at }) as Fact

type Step = { no: number; to: ThingStatus | 'taken' | 'retired' }

/** Each device begins online, and goes its way a second after the one before. */
function factsOf(steps: readonly Step[]): Fact[] {
  const facts: Fact[] = []
  const statuses = new Map<number, ThingStatus>()
  const lostBy = new Map<number, string>()
  const add = (fact: NewFact) => facts.push(stored(fact, facts.length))
  for (const { no, to } of steps) {
    const about = { at: START + facts.length * 1000, companyId: 'c', by: 'u1' }
    const imei = imeiOf(no)
    const from = statuses.get(no) ?? 'online'
    const notificationId = lostBy.get(no)
    if (to === 'retired') {
      add({ ...about, type: 'device.retired', data: { imei, no } })
      lostBy.delete(no)
      statuses.delete(no)
    } else if (to === 'taken') {
      if (notificationId === undefined) continue
      const violationId = lostIdBy(notificationId)
      const data = { violationId, notificationId, imei, type: 'offline' as const, userName: 'U' }
      add({ ...about, type: 'violation.taken', data })
    } else if (from !== to) {
      if (from === 'online') lostBy.set(no, `f${facts.length + 1}`)
      if (to === 'online') lostBy.delete(no)
      statuses.set(no, to)
      const heardAt = from === 'online' && to === 'offline' ? { heardAt: about.at - MINUTE } : {}
      add({ ...about, type: 'device-status.changed', data: { imei, from, to, ...heardAt } })
    }
  }
  return facts
}

const fold = (facts: readonly Fact[], incidents = emptyIncidents()) => {
  for (const fact of facts) evolveIncidents(incidents, fact)
  return incidents
}
const desk = (incidents: ReturnType<typeof emptyIncidents>) => deskOf(incidents, START, () => true)
const stepsOf = (devices: number) =>
  fc.array(
    fc.record<Step>({
      no: fc.nat(devices - 1),
      to: fc.constantFrom('online', 'offline', 'disconnected', 'taken', 'retired'),
    }),
    { maxLength: 80, size: 'max' },
  )

test('a device is lost while it was heard and is not online, by one incident a loss', () => {
  fc.assert(
    fc.property(stepsOf(3), (steps) => {
      const facts = factsOf(steps)
      const last = new Map<string, ThingStatus>()
      let losses = 0
      for (const { type, data } of facts) {
        if (type === 'device.retired') last.delete(data.imei)
        if (type !== 'device-status.changed') continue
        if (data.from === 'online') losses++
        last.set(data.imei, data.to)
      }
      const { open, over } = desk(fold(facts))
      const isLost = ([, status]: [string, ThingStatus]) => status !== 'online'
      expect(open.map(({ imei }) => imei).sort()).toEqual(
        [...last]
          .filter(isLost)
          .map(([imei]) => imei)
          .sort(),
      )
      const retiredLost = losses - open.length - over.length
      expect(retiredLost).toBeGreaterThanOrEqual(0)
      expect(retiredLost).toBeLessThanOrEqual(facts.filter(({ type }) => type === 'device.retired').length)
    }),
  )
})

test('it is lost since it was last heard, not since that was noticed', () => {
  const { open } = desk(fold(factsOf([{ no: 0, to: 'offline' }])))
  expect(open).toMatchObject([
    {
      violationId: 'lost-f1',
      notificationId: 'f1',
      type: 'offline',
      since: new Date(START - MINUTE).toISOString(),
      openedAt: new Date(START).toISOString(),
    },
  ])
})

test('what was told before that was recorded counts from its own time', () => {
  const data = { imei: imeiOf(0), from: 'online', to: 'offline' } as const
  const changed = stored({ type: 'device-status.changed', at: START, companyId: 'c', data }, 0)
  expect(desk(fold([changed])).open[0]?.since).toBe(new Date(START).toISOString())
})

test('late readings say where a device was, not that anybody heard it', () => {
  const data = {
    imei: imeiOf(0),
    from: START,
    to: START + MINUTE,
    before: 'offline',
    after: 'online',
  } as const
  const revised = stored({ type: 'device-status.revised', at: START, companyId: 'c', data }, 9)
  const facts = factsOf([{ no: 0, to: 'offline' }])
  expect(desk(fold([...facts, revised]))).toEqual(desk(fold(facts)))
})

test('with another tracker it is the same loss, and it ends when that one is heard', () => {
  const facts = factsOf([{ no: 0, to: 'offline' }])
  const data = { no: 0, before: imeiOf(0), after: imeiOf(9) }
  const replaced = stored({ type: 'device.tracker-replaced', at: START, companyId: 'c', data }, 1)
  const lost = fold([...facts, replaced])
  expect(desk(lost).open).toMatchObject([{ violationId: 'lost-f1', imei: imeiOf(9) }])
  expect(openedSeqOf(lost, { imei: imeiOf(9), type: 'offline' })).toBe(1)
  const back = { imei: imeiOf(9), from: 'offline', to: 'online' } as const
  const heard = stored({ type: 'device-status.changed', at: START, companyId: 'c', data: back }, 2)
  expect(desk(fold([heard], lost))).toMatchObject({ open: [], over: [{ violationId: 'lost-f1' }] })
})

const lostInOrder = (devices: number, of: readonly Step[] = []) =>
  factsOf([...Array.from({ length: devices }, (_, no): Step => ({ no, to: 'offline' })), ...of])

test('of a flood the newest are listed, with those that somebody has, and the others counted', () => {
  const { open, moreLost } = desk(fold(lostInOrder(MOST_LOST + 100, [{ no: 3, to: 'taken' }])))
  expect([open.length, moreLost]).toEqual([MOST_LOST + 1, 99])
  expect(open[0]?.imei).toBe(imeiOf(3))
  expect(open[1]?.imei).toBe(imeiOf(100))
})

test('whoever asks in a flood and then hears facts counts no less than all, or hears of one that is not listed', () => {
  fc.assert(
    fc.property(stepsOf(MOST_LOST + 200), fc.nat(80), (steps, requested) => {
      const before = lostInOrder(MOST_LOST + 100)
      const facts = factsOf([
        ...Array.from({ length: MOST_LOST + 100 }, (_, no): Step => ({ no, to: 'offline' })),
        ...steps,
      ])
      const cut = before.length + Math.min(requested, facts.length - before.length)
      const after = facts.slice(cut)
      const heard = desk(fold(after, incidentsOf(desk(fold(facts.slice(0, cut))))))
      const known = desk(fold(facts))
      const isRequestedAgain = after.some(isOfLost)
      if (!isRequestedAgain) expect(heard).toEqual(known)
      expect(heard.open.length + heard.moreLost).toBeGreaterThanOrEqual(known.open.length + known.moreLost)
    }),
    { numRuns: 20 },
  )
})

test('whoever asks in a flood counts all that are lost, and lists the newest, while devices are lost and come back', () => {
  const moves = stepsOf(MOST_LOST + 200).map((all) =>
    all.filter(({ to }) => to !== 'taken' && to !== 'retired'),
  )
  fc.assert(
    fc.property(moves, (steps) => {
      const before = lostInOrder(MOST_LOST + 100)
      const facts = lostInOrder(MOST_LOST + 100, steps)
      const heard = desk(fold(facts.slice(before.length), incidentsOf(desk(fold(before)))))
      const known = desk(fold(facts))
      expect(heard.open.length + heard.moreLost).toBe(known.open.length + known.moreLost)
      expect(known.open.slice(known.open.length - heard.open.length)).toEqual(heard.open)
    }),
    { numRuns: 50 },
  )
})

test('of those that are back the newest are kept', () => {
  const steps = Array.from({ length: MOST_BACK * 1.2 }, (_, no): Step[] => [
    { no, to: 'offline' },
    { no, to: 'online' },
  ])
  const { back } = fold(factsOf(steps.flat()))
  expect(back.length).toBeLessThanOrEqual(MOST_BACK * 1.1)
  expect(back.at(-1)?.imei).toBe(imeiOf(MOST_BACK * 1.2 - 1))
})
