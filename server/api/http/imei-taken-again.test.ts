import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallName } from '#machines/contracts/calls.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createNotificationIndex } from '../../read-models/notification-index.ts'
import { device, statusChanged, violationOpened, violationRevised } from '../../testing/facts.ts'
import { followScopes } from '../realtime/scopes.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** That of device 2, in `lahore` of Indus, whom ayesha sees. */
const IMEI = '350000000000002'
const HOT = 'HIGH_TEMPERATURE_DETECTED'
const RANGE = { startDate: new Date(START - DAY).toISOString(), endDate: new Date(START + DAY).toISOString() }
const at = (minutes: number) => START + minutes * MINUTE

let server: TestServer
let before: string
beforeEach(async () => {
  server = await buildTestServer()
  before = (await server.signIn('ayesha')).access_token
})
afterEach(() => server.close())

async function append(...facts: NewFact[]): Promise<string[]> {
  const stored = await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
  return stored.facts.map(({ id }) => id)
}

const cleared = (openedAt: number, minutes: number): NewFact => ({
  ...{ type: 'violation.cleared', at: at(minutes), companyId: 'indus' },
  data: {
    ...{ violationId: `${IMEI}-${at(openedAt)}`, imei: IMEI, type: HOT },
    ...{ value: 7, worst: 9.25, durationSeconds: 60, reason: 'back-inside' },
  },
})

/** Of the device before: a violation that was silenced, acknowledged and over, and that it was unplugged. */
async function troubled(): Promise<{ violation: string; unplugged: string }> {
  server.clock.at = at(1)
  const ask = (name: CallName, params: Record<string, string>, body: object) =>
    server.answer(name, { params, body, token: before })
  await ask('shelve', { imei: IMEI, type: HOT }, { minutes: 1440, reason: 'Defrost of Indus' })
  const [violation = '', unplugged = ''] = await append(
    violationOpened(IMEI, at(2), {}, 'indus'),
    statusChanged(IMEI, at(3), 'online', 'disconnected', 'indus'),
  )
  server.clock.at = at(4)
  await ask('acknowledge', { id: violation }, { reason: 'Door open', comment: 'a secret of Indus' })
  await ask('comment', { id: unplugged }, { comment: 'another secret' })
  await append(cleared(2, 10))
  return { violation, unplugged }
}

const GONE: [string, NewFact][] = [
  ['retired', { type: 'device.retired', at: at(20), companyId: 'indus', data: { no: 2, imei: IMEI } }],
  [
    'given another tracker',
    {
      type: 'device.tracker-replaced',
      at: at(20),
      companyId: 'indus',
      data: { no: 2, before: IMEI, after: '350000000000099' },
    },
  ],
]
const TO: [string, string, string, string][] = [
  ['another company', 'karakoram', 'karakoram', 'karim'],
  ['a group beside', 'indus', 'empty', 'noor'],
]

describe.each(GONE)('the IMEI of a device that was %s', (_, gone) => {
  describe.each(TO)('and is taken in by %s', (_, companyId, groupId, who) => {
    let after: string
    let earlier: Awaited<ReturnType<typeof troubled>>
    beforeEach(async () => {
      after = (await server.signIn(who)).access_token
      earlier = await troubled()
      await append(gone, device(5, IMEI, companyId, groupId, { name: 'Newcomer' }))
      server.clock.at = at(30)
    })

    test('shows its new owner nothing of what was told before, and lets them do nothing about it', async () => {
      const signed = { reason: 'Door', meaning: 'reviewed', password: PASSWORD }
      const bodies: [CallName, object | undefined][] = [
        ['why', undefined],
        ['violationCase', undefined],
        ['requestCase', undefined],
        ['acknowledge', { reason: 'Mine' }],
        ['closeCase', signed],
        ['comment', { comment: 'Mine' }],
        ['take', undefined],
        ['release', undefined],
      ]
      for (const id of Object.values(earlier))
        for (const [call, body] of bodies) {
          const answer = await server.ask(call, { params: { id }, body, token: after })
          expect([call, answer.statusCode]).toEqual([call, 404])
        }
      const params = { groupId }
      const list = await server.answer('notifications', { params, body: RANGE, token: after })
      expect([list.notifications, list.notificationsCount, list.unread]).toEqual([[], 0, 0])
      const desk = await server.answer('incidents', { params, token: after })
      expect(desk).toMatchObject({ open: [], over: [], shelved: [] })
      const query = { since: new Date(START).toISOString() }
      const shift = await server.answer('shiftSummary', { params, query, token: after })
      expect([shift.opened, shift.ended, shift.actions]).toEqual([[], [], []])
    })

    test('leaves what was told with the device it was told of, also after a restart', async () => {
      const { notifications } = await server.answer('notifications', {
        params: { groupId: 'lahore' },
        body: RANGE,
        token: before,
      })
      const mine = notifications.map(({ _id, thingName, plateNumber }) => [_id, thingName, plateNumber])
      const names = ['Reefer 2', 'LES-2']
      expect(mine).toEqual([
        [earlier.unplugged, ...names],
        [earlier.violation, ...names],
      ])
      const desk = await server.answer('incidents', { params: { groupId: 'lahore' }, token: before })
      expect(desk.over.map(({ notificationId }) => notificationId)).toEqual([earlier.violation])
      const { events } = await server.answer('violationCase', {
        params: { id: earlier.violation },
        token: before,
      })
      expect(events.map(({ what }) => what)).toEqual(['shelved', 'opened', 'acknowledged', 'ended'])

      // nobody has told it anything yet, as at a start
      const index = createNotificationIndex(server.store.log, server.readModels)
      const range = { from: START - DAY, to: START + DAY }
      const of = (no: number) => ({ ...range, isRequested: (one: number) => one === no })
      expect((await index.find({ ...of(5), skip: 0, limit: 9 })).notificationsCount).toBe(0)
      expect((await index.find({ ...of(2), skip: 0, limit: 9 })).notificationsCount).toBe(2)
      expect([...(await index.violations(of(5)))]).toEqual([])
      expect((await index.violations(of(2))).get(2)).toMatchObject({ [HOT]: 1 })
      expect(await index.losses(({ no }) => no === 5)).toEqual([])
      expect(await index.losses(({ no }) => no === 2)).toHaveLength(1)
    })

    test('is no longer named by a schedule of its former owner', async () => {
      const token = (await server.signIn('danish')).access_token
      await append({
        ...{ type: 'schedule.created', at: at(5), companyId: 'indus' },
        data: {
          ...{ scheduleId: 's1', groupId: 'punjab', groups: ['lahore'], vehicles: [IMEI] },
          ...{ interval: 'Daily', emails: ['ops@indus.example'], reportTypes: ['POWER_REPORT'] },
        },
      })
      const list = await server.answer('schedules', { params: { companyId: 'indus' }, token })
      expect(list).toMatchObject([{ groups: [{ _id: 'lahore' }], vehicles: [] }])
    })

    test('has a case made as a PDF of the device it was of, or of none', async () => {
      const requested = await server.ask('requestCase', { params: { id: earlier.violation }, token: before })
      const reports = [...server.readModels.directory.reports.values()].map(({ devices }) => devices)
      const isRetired = gone.type === 'device.retired'
      expect([requested.statusCode, reports]).toEqual(isRetired ? [404, []] : [202, [[2]]])
    })

    test('says to each of the two by socket what is of their device alone, whenever it is stored', async () => {
      const scopes = followScopes(server.readModels)
      const [theirs, mine] = [scopes.hold('lahore'), scopes.hold(groupId)]
      // what people do about it later, and what the evaluation says of it after the IMEI is another's
      await server.answer('comment', {
        params: { id: earlier.violation },
        body: { comment: 'Looked at it' },
        token: before,
      })
      if (companyId !== 'indus') await append(violationRevised(IMEI, at(2), {}, 'indus'))
      const facts = server.store.log
        .readFacts(0, { limit: 1000 })
        .filter(
          ({ type, companyId: of, data }) =>
            of === 'indus' && 'imei' in data && data.imei === IMEI && type !== 'device.registered',
        )
      expect(new Set(facts.map(({ type }) => type)).size).toBeGreaterThanOrEqual(6)
      for (const fact of facts)
        expect([fact.type, mine.sees(fact), theirs.sees(fact)]).toEqual([fact.type, false, true])
      scopes.stop()
    })

    test('begins with nothing silenced or acknowledged: what its new device tells is told', async () => {
      const [id = ''] = await append(violationOpened(IMEI, at(25), {}, companyId))
      const theirs = await server.answer('violationCase', { params: { id }, token: after })
      expect(theirs.events.map(({ what }) => what)).toEqual(['opened'])
      expect(theirs.notification).toMatchObject({ thingName: 'Newcomer', isRepeat: false })
      expect(theirs.why.repeats).toBeNull()
      expect(JSON.stringify(theirs)).not.toMatch(/secret|Defrost/)
    })
  })

  test('keeps what was told of it until another takes it', async () => {
    const { violation } = await troubled()
    await append(gone)
    const { notifications } = await server.answer('notifications', {
      params: { groupId: 'lahore' },
      body: RANGE,
      token: before,
    })
    expect(notifications.map(({ thingName }) => thingName)).toEqual(['Reefer 2', 'Reefer 2'])
    expect((await server.ask('violationCase', { params: { id: violation }, token: before })).statusCode).toBe(
      200,
    )
  })
})
