import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { FactData, FactType, NewFact } from '#machines/contracts/facts.ts'
import { decodeFleetSnapshot, FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import {
  device,
  group,
  violationFound,
  violationFoundLate,
  violationOpened,
  violationRevised,
} from '../../testing/facts.ts'
import { type KeptServer, startKeptServer } from './testing/kept-server.ts'
import { START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const IMEI = '35000000000000'
let kept: KeptServer
let server: TestServer
afterEach(() => kept.stop())

async function begin(): Promise<void> {
  kept = await startKeptServer()
  server = kept.server
}

const happens = <T extends FactType>(type: T, data: FactData<T>): Promise<void> => kept.happens(type, data)
const store = (...facts: NewFact[]): Promise<void> => kept.store(...facts)
const passMinutes = (minutes: number): Promise<void> => kept.passMinutes(minutes)
const tokenOf = (userName: string): Promise<string> => kept.tokenOf(userName)

const asOf = (at: number, token: string) =>
  server.ask('fleetAsOf', { query: { at: new Date(at).toISOString() }, token })

/** What is seen of a fleet, without where in the record that is. */
function seen(payload: Buffer) {
  const { head, ...columns } = decodeFleetSnapshot(
    payload.buffer.slice(payload.byteOffset, payload.byteOffset + payload.byteLength) as ArrayBuffer,
  )
  return { ...columns, groups: head.groups, devices: head.devices }
}

const shownNow = async (token: string, groupId = 'indus') =>
  seen(
    (
      await server.ask('observationsLatest', {
        params: { groupId },
        token,
        headers: { accept: FLEET_CONTENT_TYPE },
      })
    ).rawPayload,
  )

const shownAt = async (at: number, token: string) => {
  const response = await asOf(at, token)
  expect(response.statusCode, response.body.slice(0, 200)).toBe(200)
  return seen(response.rawPayload)
}

type Step = (n: number) => Promise<void>
const no = fc.nat(3)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ device: no, late: fc.nat(90), temperature: fc.integer({ min: -20, max: 30 }) })
      .map(
        ({ device, late, temperature }): Step =>
          () =>
            server.read({
              device,
              at: server.clock.at - late * MINUTE,
              temperature,
              lat: 31.5,
              lng: 74 + temperature / 100,
            } as Reading),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(
      (minutes): Step =>
        () =>
          passMinutes(minutes),
    ),
  },
  fc.record({ no, name: fc.string({ minLength: 1, maxLength: 5 }) }).map(
    ({ no, name }): Step =>
      () =>
        happens('device.updated', { imei: IMEI + no, name }),
  ),
  fc.record({ no, groupId: fc.constantFrom('indus', 'punjab', 'lahore', 'sindh') }).map(
    ({ no, groupId }): Step =>
      async () => {
        if (server.readModels.directory.groups.has(groupId))
          await happens('device.updated', { imei: IMEI + no, groupId })
      },
  ),
  fc.nat(9).map(
    (degrees): Step =>
      () =>
        happens('group.updated', { groupId: 'indus', highTemperatureThreshold: degrees }),
  ),
  fc.constant<Step>((n) =>
    store(
      group(`new-${n}`, 'indus', 'punjab'),
      device(server.readModels.directory.devices.length, `36000000000${1000 + n}`, 'indus', `new-${n}`),
    ),
  ),
  no.map(
    (no): Step =>
      () =>
        store(violationOpened(IMEI + no, server.clock.at, {}, 'indus')),
  ),
  no.map(
    (no): Step =>
      () =>
        happens('device-status.changed', { imei: IMEI + no, from: 'disconnected', to: 'online' }),
  ),
)

describe('the fleet as it was shown', () => {
  test('is what was seen then, whatever came since: late readings, other names, groups and limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.infiniteStream(fc.nat()),
        async (steps, order) => {
          await begin()
          const token = await tokenOf('ayesha')
          const live: { at: number; fleet: unknown }[] = []
          for (const [n, take] of [...steps, () => passMinutes(1)].entries()) {
            const { at } = server.clock
            await take(n)
            if (server.clock.at > at) live.push({ at: server.clock.at, fleet: await shownNow(token) })
          }
          const shuffled = live
            .map((one) => ({ one, by: order.next().value }))
            .toSorted((a, b) => a.by - b.by)
          for (const { one } of shuffled)
            expect(
              await shownAt(one.at + 59_999 > server.clock.at ? one.at : one.at + 59_999, token),
            ).toEqual(one.fleet)
          await kept.stop()
        },
      ),
      { numRuns: 25 },
    )
    await begin()
  })

  test('says the minute it stands for, and the last one before where nothing was kept', async () => {
    await begin()
    const token = await tokenOf('ayesha')
    await passMinutes(1)
    await passMinutes(10)
    const { rawPayload, headers } = await asOf(START + 8 * MINUTE + 1, token)
    expect(headers).toMatchObject({
      'content-type': FLEET_CONTENT_TYPE,
      'cache-control': 'private, no-store',
    })
    const { head } = decodeFleetSnapshot(
      rawPayload.buffer.slice(
        rawPayload.byteOffset,
        rawPayload.byteOffset + rawPayload.byteLength,
      ) as ArrayBuffer,
    )
    expect(head.now).toBe(START + MINUTE)
  })

  test('is refused of what is still to come, and of a time of which nothing is kept', async () => {
    await begin()
    const token = await tokenOf('ayesha')
    await passMinutes(1)
    expect((await asOf(server.clock.at + 1, token)).json()).toEqual({
      code: 400,
      message: 'That is still to come',
    })
    expect((await asOf(START - 40 * 24 * 60 * MINUTE, token)).json()).toEqual({
      code: 404,
      message: 'Nothing was kept yet',
    })
    await happens('company.settings-changed', { companyId: 'indus', retentionDays: 1 })
    server.clock.at += 2 * 24 * 60 * MINUTE
    expect((await asOf(START + MINUTE, token)).statusCode, 'the company keeps it for a day').toBe(404)
  })
})

describe('how far one may look back', () => {
  test('is said, with the violations that opened each hour of what one sees', async () => {
    await begin()
    await passMinutes(1)
    const from = server.clock.at
    const opened = (no: number, at: number) =>
      store(violationOpened(IMEI + no, from + at * MINUTE, {}, 'indus'))
    await opened(0, 10.5)
    await opened(1, 70)
    await opened(3, 75)
    server.clock.at += 90 * MINUTE
    const overviewOf = async (userName: string) =>
      (await server.ask('asOfOverview', { token: await tokenOf(userName) })).json()
    const iso = (minutes: number) => new Date(from + minutes * MINUTE).toISOString()
    expect(await overviewOf('ayesha')).toEqual({
      from: iso(0),
      framesFrom: iso(0),
      opened: [1, 2],
    })
    expect((await overviewOf('noor')).opened, 'who sees none of them').toEqual([0, 0])
  })

  test('leads to each event: when it was told in what was shown, when it was in what is known now', async () => {
    await begin()
    await passMinutes(0)
    const minute = (n: number) => START + n * MINUTE
    const storeAt = async (n: number, ...facts: NewFact[]) => {
      server.clock.at = minute(n)
      await store(...facts)
      server.clock.at = minute(Math.ceil(n))
      await passMinutes(0)
    }
    const [one, another, third] = [0, 1, 3].map((no) => IMEI + no) as [string, string, string]
    // of before the record, and told of in it
    await storeAt(2.5, violationFound(one, minute(-60), {}, 'indus'))
    await storeAt(20.5, violationFoundLate(one, minute(1), {}, 'indus'))
    await storeAt(25.2, violationOpened(another, minute(25), {}, 'indus'))
    await storeAt(40.5, violationOpened(third, minute(40.4), {}, 'indus'))
    await storeAt(50.5, violationRevised(third, minute(40.4), {}, 'indus'))
    // the next minutes are not kept
    server.clock.at = minute(60.5)
    await happens('violation.cleared', {
      ...{ violationId: `${another}-${minute(25)}`, imei: another, type: 'HIGH_TEMPERATURE_DETECTED' },
      ...{ value: 5, worst: 11, durationSeconds: 60, reason: 'back-inside' },
    })
    server.clock.at = minute(70)
    await passMinutes(0)
    const token = await tokenOf('ayesha')
    const next = async (query: { at: string; direction: string; view?: string }, asker = token) =>
      (await server.answer('asOfEvent', { query, token: asker })).at
    const walk = async (from: number, view: string, direction: string) => {
      const minutes: number[] = []
      let at = await next({ at: new Date(minute(from)).toISOString(), view, direction })
      for (; at !== null; at = await next({ at, view, direction }))
        minutes.push((Date.parse(at) - START) / MINUTE)
      return minutes
    }
    const events: [string, number[]][] = [
      ['then', [-60, -50, 21, 26, 41, 51, 70]],
      ['now', [-60, -50, 1, 11, 25, 61]],
    ]
    for (const [view, minutes] of events) {
      expect(await walk(-120, view, 'after'), view).toEqual(minutes)
      expect(await walk(80, view, 'before'), view).toEqual(minutes.toReversed())
    }
    const first = { at: new Date(START).toISOString(), direction: 'after' }
    expect(await next(first, await tokenOf('noor')), 'who sees none of them').toBeNull()
  })
})

describe('who may look back', () => {
  test('sees what they see today: not what was taken from them since, and what they were given', async () => {
    await begin()
    await passMinutes(1)
    const then = server.clock.at
    await happens('device.updated', { imei: `${IMEI}1`, groupId: 'sindh' })
    await happens('device.updated', { imei: `${IMEI}3`, groupId: 'lahore' })
    await passMinutes(1)
    const { device, group: groupOf, groups } = await shownAt(then, await tokenOf('danish'))
    expect([...device]).toEqual([2, 3])
    expect(groups.map(({ _id, parentId }) => [_id, parentId])).toEqual([
      ['punjab', null],
      ['lahore', 'punjab'],
    ])
    expect([...groupOf], 'the group it was in is none of theirs: it stands in their own').toEqual([1, 0])
  })

  test('of a group that is deleted its name is there still, for those above it', async () => {
    await begin()
    await passMinutes(1)
    const then = server.clock.at
    await happens('group.deleted', { groupId: 'lahore' })
    await passMinutes(1)
    const { groups } = await shownAt(then, await tokenOf('danish'))
    expect(groups.map(({ _id }) => _id)).toEqual(['punjab', 'lahore'])
    const sindh = await shownAt(then, await tokenOf('noor'))
    expect([sindh.groups.map(({ _id }) => _id), sindh.devices]).toEqual([['empty'], 0])
  })

  test('of a group that was taken from them before it was deleted its name is not there any more', async () => {
    await begin()
    await passMinutes(1)
    const then = server.clock.at
    await happens('group.updated', { groupId: 'lahore', parentId: 'sindh' })
    await happens('group.deleted', { groupId: 'lahore' })
    await passMinutes(1)
    const namesOf = async (userName: string) =>
      (await shownAt(then, await tokenOf(userName))).groups.map(({ _id }) => _id)
    expect(await namesOf('danish')).toEqual(['punjab'])
    expect(await namesOf('ayesha')).toContain('lahore')
  })

  test('sees no device that was out of use then', async () => {
    await begin()
    await happens('device.retired', { no: 1, imei: `${IMEI}1` })
    await passMinutes(1)
    const { device } = await shownAt(server.clock.at, await tokenOf('ayesha'))
    expect([...device]).toEqual([0, 2, 3])
  })
})
