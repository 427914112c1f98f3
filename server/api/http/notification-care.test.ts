import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { createNotificationIndex } from '../../read-models/notification-index.ts'
import {
  sensorUnplugged,
  statusChanged,
  violationFound,
  violationFoundLate,
  violationOpened,
  violationRevised,
} from '../../testing/facts.ts'
import { createMarkRead } from '../realtime/mark-read.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const imeiOf = (no: number) => `35000000000000${no}`
const at = (minutes: number) => START + minutes * MINUTE
const iso = (minutes: number) => new Date(at(minutes)).toISOString()
/** Devices 0 and 1 are in `indus` and `punjab`, 3 in `sindh`. */
const [TOP, PUNJAB, SINDH] = [0, 1, 3] as const

let server: TestServer
let top: string
let child: string
beforeEach(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
})
afterEach(() => server.close())

/** Ids of the facts told, which are those of their notifications. */
async function append(...facts: NewFact[]): Promise<string[]> {
  const stored = await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
  return stored.facts.map(({ id }) => id)
}
const opened = (no: number, minutes: number, fields: Partial<FactData<'violation.opened'>> = {}): NewFact =>
  violationOpened(imeiOf(no), at(minutes), fields, 'indus')
const cleared = (no: number, openedAt: number, minutes: number, worst = 10): NewFact => ({
  type: 'violation.cleared',
  at: at(minutes),
  companyId: 'indus',
  data: {
    violationId: `${imeiOf(no)}-${at(openedAt)}`,
    imei: imeiOf(no),
    type: 'HIGH_TEMPERATURE_DETECTED',
    value: 7,
    worst,
    durationSeconds: 60,
    reason: 'back-inside',
  },
})
const lose = (no: number, minutes: number, to: 'offline' | 'disconnected' = 'offline'): NewFact =>
  statusChanged(imeiOf(no), at(minutes), 'online', to, 'indus')
const find = (no: number, minutes: number): NewFact =>
  statusChanged(imeiOf(no), at(minutes), 'offline', 'online', 'indus')
const list = (token = top, groupId = 'indus') =>
  server.answer('notifications', {
    params: { groupId },
    body: { startDate: at(-24 * 60), endDate: at(24 * 60) },
    token,
  })
const notification = async (id: string, token = top) =>
  (await list(token, token === top ? 'indus' : 'punjab')).notifications.find(({ _id }) => _id === id)
const comment = (id: string, text: string, token = top) =>
  server.ask('comment', { params: { id }, body: { comment: text }, token })
const acknowledge = (id: string, body: object = {}, token = top) =>
  server.ask('acknowledge', { params: { id }, body, token })
const why = (id: string, token = top) => server.answer('why', { params: { id }, token })

describe('comments', () => {
  test('stand under the notification for all who see it, with the name of who wrote and when', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5))
    expect((await comment(id, '  On it \n', child)).statusCode).toBe(201)
    server.clock.at += MINUTE
    const answer = await comment(id, 'Thanks')
    const comments = [
      { userName: 'danish Malik', comment: 'On it', createdAt: iso(0) },
      { userName: 'ayesha Malik', comment: 'Thanks', createdAt: iso(1) },
    ]
    expect(answer.json()).toMatchObject(comments)
    expect((await notification(id, child))?.comments).toMatchObject(comments)
  })

  test('keep the name their author had then', async () => {
    const [id = ''] = await append(sensorUnplugged(imeiOf(TOP), at(-5), 'indus'))
    await comment(id, 'Mine')
    await append({
      type: 'user.updated',
      at: START,
      companyId: 'indus',
      data: { userId: 'u1', firstName: 'Zara' },
    })
    expect((await notification(id))?.comments[0]?.userName).toBe('ayesha Malik')
  })

  test.each(['', '   ', ' \n\t'])('that say nothing, %j, are refused and leave nothing', async (text) => {
    const [id = ''] = await append(opened(TOP, -5))
    expect((await comment(id, text)).statusCode).toBeGreaterThanOrEqual(400)
    expect((await notification(id))?.comments).toEqual([])
  })

  test('on what is no notification and no loss, or out of visible, are not found', async () => {
    const [id = ''] = await append(opened(SINDH, -5))
    const [lost = ''] = await append(lose(SINDH, -5))
    const [, heard = ''] = await append(lose(PUNJAB, -5), find(PUNJAB, -4))
    for (const each of [id, lost, heard, 'f1', 'f0', 'f999999', 'x'])
      expect((await comment(each, 'Hello', child)).statusCode, each).toBe(404)
  })
})

describe('whoever takes care of a violation', () => {
  test('is told to everybody with their words, since when, and that it is over', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5))
    const mine = await server.answer('acknowledge', {
      params: { id },
      body: { comment: ' Door was open ' },
      token: child,
    })
    const acknowledged = { userName: 'danish Malik', comment: 'Door was open', createdAt: iso(0) }
    expect(mine).toMatchObject({ _id: id, acknowledged, clearedAt: null })
    await append(cleared(PUNJAB, -5, 1))
    expect(await notification(id)).toMatchObject({ acknowledged, clearedAt: iso(1), isRepeat: false })
  })

  test('is the first who said so, and others are told who that is', async () => {
    const [id = ''] = await append(opened(TOP, -5))
    const answers = await Promise.all([acknowledge(id), acknowledge(id, {})])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const late = await acknowledge(id)
    expect(late.json()).toMatchObject({
      code: 409,
      message: 'Already acknowledged by ayesha Malik',
      acknowledged: { userName: 'ayesha Malik', createdAt: iso(0) },
    })
  })

  test('may do so after it is over, and of one found later, but of nothing that is no violation', async () => {
    const [over = '', , found = '', unplugged = ''] = await append(
      opened(TOP, -50),
      cleared(TOP, -50, -40),
      violationFound(imeiOf(TOP), at(-600), {}, 'indus'),
      sensorUnplugged(imeiOf(TOP), at(-5), 'indus'),
    )
    expect((await acknowledge(over)).statusCode).toBe(200)
    expect((await acknowledge(found)).json()).toMatchObject({ clearedAt: iso(-590) })
    expect((await acknowledge(unplugged)).statusCode).toBe(422)
  })

  test('is not disturbed by repeats until it gets worse; the list shows them all the same', async () => {
    const [first = ''] = await append(opened(TOP, 0))
    await acknowledge(first, { comment: 'Compressor is on its way' })
    await append(cleared(TOP, 0, 10, 10))
    const [again = ''] = await append(opened(TOP, 60), cleared(TOP, 60, 70, 10.2))
    const [once = ''] = await append(opened(TOP, 100), cleared(TOP, 100, 110))
    const [worse = ''] = await append(opened(TOP, 120, { value: 10.6 }))
    const { notifications } = await list()
    expect(notifications.map(({ _id, isRepeat }) => [_id, isRepeat])).toEqual([
      [worse, false],
      [once, true],
      [again, true],
      [first, false],
    ])
    expect((await why(once)).repeats).toMatchObject({
      notificationId: first,
      openedAt: iso(0),
      clearedAt: iso(10),
      acknowledged: { comment: 'Compressor is on its way' },
    })
    expect((await why(worse)).repeats).toBeNull()
  })
})

describe('why', () => {
  test('answers what was measured against what, and how it ended', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5), cleared(PUNJAB, -5, 1))
    expect(await why(id, child)).toEqual({
      violation: {
        type: 'HIGH_TEMPERATURE_DETECTED',
        since: iso(-6),
        openedAt: iso(-5),
        value: 9.25,
        threshold: 8,
        delaySeconds: 60,
        clearMargin: 0.5,
        readings: [
          { at: iso(-6), value: 9 },
          { at: iso(-5), value: 9.25 },
        ],
        clearedAt: iso(1),
        worst: 10,
        clearReason: 'back-inside',
      },
      doors: [],
      groupName: 'punjab',
      acknowledged: null,
      repeats: null,
      told: [],
    })
  })

  test('tells when the door was open, from half an hour before until it ended', async () => {
    const columns = createReadings(6)
    for (const [minutes, door] of [
      [-40, 1],
      [-39, 0],
      [-14, 0],
      [-9, 1],
      [-3, 0],
      [0, 1],
    ] as const)
      pushReading(columns, { device: PUNJAB, at: at(minutes), temperature: 9, door })
    await server.store.telemetry.append(columns, START)
    const [id = ''] = await append(opened(PUNJAB, -5), cleared(PUNJAB, -5, 1))
    expect((await why(id)).doors).toEqual([
      { from: iso(-9), to: iso(-3) },
      { from: iso(0), to: null },
    ])
  })

  test('shows no reading and no door of days that the company keeps no longer', async () => {
    const opening = -8 * 24 * 60
    const columns = createReadings(3)
    for (const [minutes, door] of [
      [opening - 2, 0],
      [opening - 1, 1],
      [opening, 0],
    ] as const)
      pushReading(columns, { device: PUNJAB, at: at(minutes), temperature: 9, door })
    await server.store.telemetry.append(columns, START)
    const [openedId = '', found = ''] = await append(
      opened(PUNJAB, opening),
      violationFound(imeiOf(PUNJAB), at(opening), {}, 'indus'),
    )
    expect((await why(openedId)).doors).toHaveLength(1)
    expect((await why(found)).violation.readings).toHaveLength(2)

    await append({
      type: 'company.settings-changed',
      at: START,
      companyId: 'indus',
      data: { companyId: 'indus', retentionDays: 5 },
    })
    for (const id of [openedId, found]) {
      const { violation, doors } = await why(id)
      expect([violation.readings, doors]).toEqual([[], []])
      expect(violation).toMatchObject({ openedAt: iso(opening), value: 9.25 })
    }
  })

  test('of one found later tells the readings that are still there, and that nobody was told', async () => {
    const columns = createReadings(3)
    for (const [minutes, temperature] of [
      [-602, 7],
      [-601, 9],
      [-600, 9.25],
    ] as const)
      pushReading(columns, { device: TOP, at: at(minutes), temperature })
    await server.store.telemetry.append(columns, START)
    const [id = ''] = await append(violationFound(imeiOf(TOP), at(-600), {}, 'indus'))
    const { violation, told } = await why(id)
    expect(violation).toMatchObject({
      readings: [
        { at: iso(-601), value: 9 },
        { at: iso(-600), value: 9.25 },
      ],
      clearedAt: iso(-590),
      worst: 10,
    })
    expect(told).toEqual([])
  })

  test('says when the reading that mattered and the first late one were measured and received', async () => {
    const columns = createReadings(4)
    for (const [minutes, temperature] of [
      [-32, 7],
      [-31, 9],
      [-30, 9.25],
      [-20, 7],
    ] as const)
      pushReading(columns, { device: TOP, at: at(minutes), temperature })
    await server.store.telemetry.append(columns, START)
    const [late = '', inTime = ''] = await append(opened(TOP, -30), opened(PUNJAB, -30))
    expect((await why(late)).late).toEqual({
      opening: { at: iso(-30), receivedAt: iso(0), value: 9.25 },
      first: { at: iso(-31), receivedAt: iso(0), value: 9 },
    })
    expect((await why(inTime)).late).toBeUndefined()
  })

  test('tells since when as it is known now, and what was told at first', async () => {
    const columns = createReadings(3)
    for (const [minutes, temperature] of [
      [-62, 9],
      [-61, 9.5],
      [-5, 10],
    ] as const)
      pushReading(columns, { device: TOP, at: at(minutes), temperature })
    await server.store.telemetry.append(columns, START)
    const [id = ''] = await append(opened(TOP, -5))
    const before = { since: at(-6), openedAt: at(-5), clearedAt: null, threshold: 8, worst: 10 }
    const after = { ...before, since: at(-62), openedAt: at(-61) }
    const data = { violationId: `${imeiOf(TOP)}-${at(-5)}`, imei: imeiOf(TOP) }
    await append(violationRevised(imeiOf(TOP), at(-61), { ...data, before, after }, 'indus'))
    const { violation, toldAs } = await why(id)
    expect(violation).toMatchObject({
      since: iso(-62),
      openedAt: iso(-61),
      value: 9.5,
      readings: [
        { at: iso(-62), value: 9 },
        { at: iso(-61), value: 9.5 },
      ],
    })
    expect(toldAs).toEqual({ since: iso(-6), openedAt: iso(-5) })
  })

  test('names the group whose threshold it was, also after the device moved; not to who does not see it', async () => {
    const [before = ''] = await append(opened(SINDH, -5))
    const moved = { imei: imeiOf(SINDH), groupId: 'punjab' }
    await append({ type: 'device.updated', at: START, companyId: 'indus', by: 'u1', data: moved })
    const [after = ''] = await append(opened(SINDH, 5))
    expect([(await why(before)).groupName, (await why(after)).groupName]).toEqual(['sindh', 'punjab'])
    expect([(await why(before, child)).groupName, (await why(after, child)).groupName]).toEqual([
      null,
      'punjab',
    ])
    const [late = ''] = await append(violationFoundLate(imeiOf(SINDH), at(-20), {}, 'indus'))
    expect((await why(late)).groupName, 'it was found after it had moved').toBe('sindh')
  })

  test('tells who saw it on screen, who was written to and whether that left', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5))
    const seq = Number(id.slice(1))
    const alert = (userId: string, channel: 'email' | 'sms', minutes: number): NewFact => ({
      type: 'alert.raised',
      at: at(minutes),
      companyId: 'indus',
      data: { alertId: `a-${userId}-${channel}`, userId, channel, about: [seq], quietSeconds: 0 },
    })
    const alerts = await append(alert('u1', 'email', 1), alert('u2', 'sms', 2), alert('u1', 'sms', 3))
    const [mail = 0, sms = 0] = alerts.map((each) => Number(each.slice(1)))
    const about = { companyId: 'indus' }
    await append(
      {
        ...about,
        type: 'mail.sent',
        at: at(4),
        data: { letterId: 'l', about: mail, kind: 'alert', to: 'a@indus.example', subject: 'x', via: 'smtp' },
      },
      {
        ...about,
        type: 'sms.failed',
        at: at(5),
        data: { messageId: 'm', about: sms, to: '1', text: 'x', reason: 'no such number' },
      },
      { ...about, type: 'notifications.seen', at: at(6), data: { userId: 'u1', upTo: seq - 1 } },
      { ...about, type: 'notifications.seen', at: at(7), data: { userId: 'u2', upTo: seq } },
      { ...about, type: 'notifications.seen', at: at(8), data: { userId: 'u2', upTo: seq + 1 } },
      { ...about, type: 'notifications.seen', at: at(9), data: { userId: 'u4', upTo: seq + 1 } },
    )
    const nothing = { detail: '' }
    expect((await why(id)).told).toEqual([
      { ...nothing, userName: 'ayesha Malik', channel: 'sms', at: iso(3), state: 'waiting' },
      { ...nothing, userName: 'ayesha Malik', channel: 'email', at: iso(4), state: 'sent' },
      { userName: 'danish Malik', channel: 'sms', at: iso(5), state: 'failed', detail: 'no such number' },
      { ...nothing, userName: 'danish Malik', channel: 'screen', at: iso(7), state: 'seen' },
    ])
  })

  test('there is none of what is no violation', async () => {
    const [id = ''] = await append(sensorUnplugged(imeiOf(TOP), at(-5), 'indus'))
    expect((await server.ask('why', { params: { id }, token: top })).statusCode).toBe(422)
  })
})

test('what was told of a device goes with it to another group, also of a violation that is still open', async () => {
  const ids = async (token: string, groupId: string) =>
    (await list(token, groupId)).notifications.map(({ _id }) => _id)
  const move = (groupId: string) =>
    append({ type: 'device.updated', at: START, companyId: 'indus', data: { imei: imeiOf(PUNJAB), groupId } })
  const [id = ''] = await append(opened(PUNJAB, -5))
  expect([await ids(child, 'punjab'), await ids(top, 'sindh')]).toEqual([[id], []])
  await move('sindh')
  await append(cleared(PUNJAB, -5, 1))
  expect([await ids(child, 'punjab'), await ids(top, 'sindh')]).toEqual([[], [id]])
  for (const call of ['why', 'comment', 'acknowledge'] as const) {
    const body = call === 'why' ? undefined : { comment: 'Mine' }
    expect((await server.ask(call, { params: { id }, body, token: child })).statusCode, call).toBe(404)
  }
  await move('punjab')
  expect(await notification(id, child)).toMatchObject({ clearedAt: iso(1), comments: [] })
})

describe('unread', () => {
  const unread = async (token = top) => (await list(token, token === top ? 'indus' : 'punjab')).unread
  const seen = async (userId: string, groupId: string, upTo: number): Promise<number> => {
    const before = server.store.log.head()
    const { execute, readModels, store } = server
    const notifications = createNotificationIndex(store.log, readModels)
    await createMarkRead({ execute, notifications, readModels })({ userId, groupId }, upTo)
    return server.store.log.head() - before
  }

  test('is what is new in all their scope since they last marked it read, whatever of it they request', async () => {
    await append(opened(PUNJAB, -5), opened(SINDH, -4), violationFound(imeiOf(PUNJAB), at(-600), {}, 'indus'))
    expect([await unread(top), await unread(child)]).toEqual([2, 1])
    const narrow = await server.answer('notifications', {
      params: { groupId: 'lahore' },
      body: { startDate: at(-1), endDate: at(0) },
      token: top,
    })
    expect(narrow).toMatchObject({ unread: 2, notifications: [], seq: server.store.log.head() })
  })

  test('is none once they have seen, for them alone; to look again leaves no fact', async () => {
    const [first = ''] = await append(opened(PUNJAB, -5), opened(SINDH, -4))
    expect(await seen('u1', 'indus', Number(first.slice(1)))).toBe(1)
    expect(await unread(top)).toBe(1)
    const head = server.store.log.head()
    expect(await seen('u1', 'indus', head)).toBe(1)
    expect([await unread(top), await unread(child)]).toEqual([0, 1])
    await append(statusChanged(imeiOf(TOP), at(-3), 'online', 'offline', 'indus'))
    expect(await seen('u1', 'indus', server.store.log.head())).toBe(0)
    expect(await seen('u1', 'indus', head)).toBe(0)
    expect(await seen('u4', 'empty', server.store.log.head())).toBe(0)
  })
})

describe('an unplugged vehicle', () => {
  const check = (no: number, isPassenger: boolean) =>
    server.answer('passengerCheck', {
      params: { thingId: imeiOf(no), isPassenger: String(isPassenger) },
      token: top,
    })

  test('asks whether somebody was in it until that is answered; the same answer again changes nothing', async () => {
    const [id = '', warehouse = ''] = await append(
      statusChanged(imeiOf(TOP), at(-5), 'online', 'disconnected', 'indus'),
      statusChanged(imeiOf(PUNJAB), at(-4), 'online', 'disconnected', 'indus'),
    )
    expect((await notification(id))?.passengerCheck).toBe(true)
    expect((await notification(warehouse))?.passengerCheck).toBe(false)
    const before = server.store.log.head()
    expect((await check(TOP, true)).message).toBe('Thank you, your answer is kept')
    expect((await notification(id))?.passengerCheck).toBe(false)
    expect((await check(TOP, true)).message).toBe('This was answered already')
    expect((await check(TOP, false)).message).toBe('Thank you, your answer is kept')
    await check(SINDH, true)
    const published = server.store.log.readFacts(before)
    expect(published.map(({ type, by, data }) => ({ type, by, data }))).toEqual(
      [true, false].map((isPassenger) => ({
        type: 'passenger.checked',
        by: 'u1',
        data: { imei: imeiOf(TOP), notificationId: id, isPassenger },
      })),
    )
  })
})

describe('the desk', () => {
  const desk = (token = top, groupId = 'indus') => server.answer('incidents', { params: { groupId }, token })
  const params = { imei: imeiOf(PUNJAB), type: 'HIGH_TEMPERATURE_DETECTED' } as const

  test('says what lasts, who has it and why it is known, to whoever sees the device', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5), opened(SINDH, -4))
    const body = { comment: '', reason: 'Defrost' }
    await acknowledge(id, body, child)
    const mine = { holder: { userName: 'danish Malik' }, acknowledged: { reason: 'Defrost' } }
    expect(await desk()).toMatchObject({ open: [mine, { holder: null }], over: [], shelved: [] })
    expect(await desk(child, 'punjab')).toMatchObject({ open: [mine] })
    const taken = await server.answer('take', { params: { id }, token: top })
    expect(taken).toMatchObject({ _id: id, holder: { userName: 'ayesha Malik', since: iso(0) } })
    const released = await server.ask('release', { params: { id }, token: child })
    expect([released.statusCode, released.json().message]).toEqual([409, 'ayesha Malik has it'])
    await server.answer('release', { params: { id }, token: top })
    await append(cleared(PUNJAB, -5, 1))
    expect(await desk(child, 'punjab')).toMatchObject({
      open: [],
      over: [{ holder: null, clearedAt: iso(1) }],
    })
  })

  test('lists what is shelved until then, in its notifications too, and ends it early', async () => {
    const [id = ''] = await append(opened(PUNJAB, -5))
    const body = { minutes: 60, reason: ' Known: seal ordered ' }
    const shelving = { ...params, until: iso(60), reason: 'Known: seal ordered', userName: 'danish Malik' }
    expect(await server.answer('shelve', { params, body, token: child })).toMatchObject(shelving)
    expect((await desk()).shelved).toMatchObject([shelving])
    expect(await notification(id)).toMatchObject({ shelved: { until: iso(60) } })
    await server.answer('unshelve', { params, token: top })
    expect((await desk()).shelved).toEqual([])
    expect(await notification(id)).not.toHaveProperty('shelved')
  })

  test('says who has a device that is lost, and what was said of it, until it is heard', async () => {
    const [id = ''] = await append(lose(PUNJAB, -5), lose(SINDH, -4))
    const lost = {
      violationId: `lost-${id}`,
      type: 'offline',
      threshold: null,
      holder: null,
      clearedAt: null,
    }
    expect((await desk(child, 'punjab')).open).toMatchObject([lost])
    const body = { reason: 'No coverage' }
    const answer = await acknowledge(id, body, child)
    const mine = { holder: { userName: 'danish Malik' }, acknowledged: body }
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { ...lost, ...mine }])
    expect((await acknowledge(id)).statusCode).toBe(409)
    await comment(id, 'Driver called', child)
    expect((await desk()).open[0]).toMatchObject({ ...mine, said: { comment: 'Driver called' } })
    expect(await server.answer('take', { params: { id }, token: top })).toMatchObject({
      holder: { userName: 'ayesha Malik' },
    })
    await append(find(PUNJAB, 1))
    expect(await desk(child, 'punjab')).toMatchObject({
      open: [],
      over: [{ violationId: `lost-${id}`, clearedAt: iso(1), said: { comment: 'Driver called' } }],
    })
    const taken = await server.ask('take', { params: { id }, token: top })
    expect([taken.statusCode, taken.json().message]).toEqual([422, 'Only what lasts can be taken'])
  })

  test('of a lost device is nobody’s who does not see it', async () => {
    const [id = ''] = await append(lose(SINDH, -5))
    for (const call of ['acknowledge', 'take', 'release'] as const)
      expect((await server.ask(call, { params: { id }, body: {}, token: child })).statusCode).toBe(404)
    expect((await desk(child, 'punjab')).open).toEqual([])
  })

  test('shelves that a device is lost: that it was unplugged is said to be shelved while it is lost', async () => {
    const lost = { imei: imeiOf(PUNJAB), type: 'offline' } as const
    const [id = ''] = await append(lose(PUNJAB, -5, 'disconnected'))
    const body = { minutes: 60, reason: 'In the workshop' }
    expect(await server.answer('shelve', { params: lost, body, token: child })).toMatchObject(lost)
    expect(await notification(id)).toMatchObject({ type: 'vehicleOffline', shelved: { until: iso(60) } })
    await append(statusChanged(imeiOf(PUNJAB), at(1), 'disconnected', 'online', 'indus'))
    expect(await notification(id)).not.toHaveProperty('shelved')
    await server.answer('unshelve', { params: lost, token: child })
    expect((await desk()).shelved).toEqual([])
  })

  test.each([
    { minutes: 0, reason: 'x' },
    { minutes: 1441, reason: 'x' },
    { minutes: 60, reason: '' },
    { minutes: 60, reason: '   ' },
  ])('does not shelve %j', async (body) => {
    expect((await server.ask('shelve', { params, body, token: top })).statusCode).toBeGreaterThanOrEqual(400)
    expect((await desk()).shelved).toEqual([])
  })
})
