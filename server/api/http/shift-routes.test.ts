import { afterEach, beforeEach, expect, test } from 'vitest'
import { SHIFT_DAYS, TOO_LONG_AGO } from '#machines/contracts/calls/shift-calls.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { OutOfLine } from '../../cluster/line.ts'
import type { Budgets } from '../../evaluation/budgets/budgets.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { statusChanged, user, violationOpened } from '../../testing/facts.ts'
import { shiftRoutes } from './shift-routes.ts'
import { buildTestServer, PASSWORD, type TestServer } from './testing/test-app.ts'
import { createVisibleScope } from './visible-scope.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const imeiOf = (no: number) => `35000000000000${no}`
/** Devices 0 and 1 are in `indus` and `punjab`, 3 in `sindh`. */
const [TOP, PUNJAB, SINDH] = [0, 1, 3] as const

let server: TestServer
beforeEach(async () => {
  server = await buildTestServer({ env: { ACCESS_TTL: '9999999' } })
})
afterEach(() => server.close())

const tokenOf = async (userName: string) => (await server.signIn(userName)).access_token
const now = () => server.clock.at
const pass = (minutes: number) => {
  server.clock.at += minutes * MINUTE
}
async function append(...facts: NewFact[]): Promise<string> {
  const { facts: stored } = await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
  return stored[0]?.id ?? ''
}
const open = (no: number, at = now()) => append(violationOpened(imeiOf(no), at, {}, 'indus'))
const clear = (no: number, openedAt: number) =>
  append({
    type: 'violation.cleared',
    at: now(),
    companyId: 'indus',
    data: {
      violationId: `${imeiOf(no)}-${openedAt}`,
      imei: imeiOf(no),
      type: 'HIGH_TEMPERATURE_DETECTED',
      value: 7,
      worst: 10,
      durationSeconds: 60,
      reason: 'back-inside',
    },
  })
const shift = (token: string, since: number, groupId = 'indus') =>
  server.answer('shiftSummary', {
    params: { groupId },
    query: { since: new Date(since).toISOString() },
    token,
  })
const ask = (token: string, since: number, groupId = 'indus') =>
  server.ask('shiftSummary', {
    params: { groupId },
    query: { since: new Date(since).toISOString() },
    token,
  })

test('somebody comes back and is told what came up, what is over, who did what, and what is lost', async () => {
  const token = await tokenOf('ayesha')
  await open(TOP)
  const firstAt = now()
  pass(10)
  const left = now()
  pass(10)
  const second = await open(PUNJAB)
  await clear(TOP, firstAt)
  await append(statusChanged(imeiOf(SINDH), now(), 'online', 'offline', 'indus'))
  pass(5)
  await server.ask('acknowledge', {
    params: { id: second },
    body: { reason: 'Doors open' },
    token: await tokenOf('danish'),
  })
  await server.readModels.settled(server.store.log.head())
  const { since, until, opened, ended, counts, actions } = await shift(token, left)
  expect([Date.parse(since), Date.parse(until)]).toEqual([left, now()])
  expect(opened.map(({ imei, type, clearedAt }) => [imei, type, clearedAt])).toEqual(
    expect.arrayContaining([
      [imeiOf(SINDH), 'offline', null],
      [imeiOf(PUNJAB), 'HIGH_TEMPERATURE_DETECTED', null],
    ]),
  )
  expect(ended.map(({ imei }) => imei)).toEqual([imeiOf(TOP)])
  expect(counts).toMatchObject({ opened: 1, stillOpen: 1, lost: 1, stillLost: 1, ended: 1, actions: 1 })
  expect(actions).toMatchObject([{ action: 'acknowledged', userName: 'danish Malik', text: 'Doors open' }])
})

test('what was recorded before is no news, what was measured before and came late is', async () => {
  const token = await tokenOf('ayesha')
  await open(TOP)
  pass(1)
  const left = now()
  pass(1)
  await open(PUNJAB, left - 30 * MINUTE)
  const { opened } = await shift(token, left)
  expect(opened.map(({ imei }) => imei)).toEqual([imeiOf(PUNJAB)])
})

test('a device that was lost when one left, and is back, has ended', async () => {
  const token = await tokenOf('ayesha')
  await append(statusChanged(imeiOf(TOP), now(), 'online', 'offline', 'indus'))
  pass(1)
  const left = now()
  pass(1)
  await append(statusChanged(imeiOf(TOP), now(), 'offline', 'online', 'indus'))
  const { ended, counts } = await shift(token, left)
  expect(ended.map(({ imei, type }) => [imei, type])).toEqual([[imeiOf(TOP), 'offline']])
  expect(counts).toMatchObject({ lost: 0, ended: 1 })
})

test('managers are told what was changed, what was done to many at once in one line', async () => {
  const top = await tokenOf('ayesha')
  pass(1)
  const left = now()
  pass(1)
  const moved = [TOP, PUNJAB].map(
    (no): NewFact => ({
      type: 'device.updated',
      at: now(),
      by: 'u1',
      companyId: 'indus',
      data: { imei: imeiOf(no), groupId: 'sindh' },
    }),
  )
  await append(...moved)
  await append({
    type: 'group.updated',
    at: now() + 1,
    by: 'u1',
    companyId: 'indus',
    data: { groupId: 'sindh', highTemperatureThreshold: 6 },
  })
  const { changes, hasMoreChanges } = await shift(top, left)
  expect(hasMoreChanges).toBe(false)
  const devices = changes?.filter(({ of }) => of === 'devices')
  expect(devices).toMatchObject([{ others: 1, by: { _id: 'u1' }, action: 'updated' }])
  const group = changes?.find(
    ({ of, changes }) => of === 'groups' && changes.some(({ field }) => field === 'highTemperatureThreshold'),
  )
  expect(group).toMatchObject({ id: 'sindh', name: 'sindh' })
  const hash = await hashPassword(PASSWORD)
  await append(user('u9', 'indus', 'punjab', 'sana', { type: 'User' }), {
    type: 'user.password-set',
    at: 0,
    companyId: 'indus',
    data: { userId: 'u9', hash },
  })
  expect((await shift(await tokenOf('sana'), left, 'punjab')).changes).toBeNull()
})

test('each sees their own groups alone, and a group that is not theirs does not exist', async () => {
  const [top, child] = [await tokenOf('ayesha'), await tokenOf('danish')]
  const left = now() - 1
  await open(TOP)
  await open(PUNJAB)
  expect((await shift(child, left, 'punjab')).counts.opened).toBe(1)
  expect((await shift(top, left, 'punjab')).counts.opened).toBe(1)
  expect((await shift(top, left)).counts.opened).toBe(2)
  expect((await ask(child, left)).statusCode).toBe(404)
})

test('what is to come or too long ago is refused', async () => {
  const token = await tokenOf('ayesha')
  expect((await ask(token, now() + MINUTE)).json()).toMatchObject({ message: 'That is still to come' })
  const long = await ask(token, now() - SHIFT_DAYS * DAY - MINUTE)
  expect([long.statusCode, long.json().message]).toEqual([400, TOO_LONG_AGO])
})

test('loads at risk now, exhausted, and decided about are told with who decided, and no others', async () => {
  const [token, child] = [await tokenOf('ayesha'), await tokenOf('danish')]
  const carry = (no: number, reference: string) =>
    server.answer('openLoad', { body: { imei: imeiOf(no), reference, profileId: 'chilled-food' }, token })
  const [spoilt, warm] = [await carry(PUNJAB, 'Lot 7'), await carry(SINDH, 'Lot 8')]
  await carry(TOP, 'Lot 9')
  const left = now()
  pass(1)
  const about = { loadId: spoilt._id, imei: imeiOf(PUNJAB) }
  await append({
    ...{ type: 'load.exhausted', at: now(), companyId: 'indus' },
    data: { ...about, rule: 0, used: 361, allowed: 360 },
  })
  await server.answer('beginReview', { params: { loadId: spoilt._id }, token })
  await server.answer('rejectLoad', { params: { loadId: spoilt._id }, body: { reason: 'Too warm' }, token })
  // warm for two and a half of the four hours that are allowed above 21 °C
  pass(150)
  await server.read(
    ...Array.from({ length: 31 }, (_, i) => ({
      device: SINDH,
      at: now() - (150 - i * 5) * MINUTE,
      temperature: 25,
    })),
  )
  const { counts, loads } = await shift(token, left)
  expect(
    loads.map(({ reference, state, news }) => [reference, state, news.map(({ action }) => action)]),
  ).toEqual([
    ['Lot 8', 'at-risk', []],
    ['Lot 7', 'rejected', ['rejected', 'review-begun', 'exhausted']],
  ])
  expect(loads[1]?.news[0]).toMatchObject({ text: 'Too warm', userName: 'ayesha Malik' })
  expect(counts).toMatchObject({ loads: 2, atRisk: 1, exhausted: 1, decided: 1 })
  expect((await shift(child, left, 'punjab')).loads.map(({ loadId }) => loadId)).toEqual([spoilt._id])
  expect((await shift(token, now())).loads.map(({ loadId }) => loadId)).toEqual([warm._id])
})

test('of one person few summaries wait, and companies take turns whoever asked before', async () => {
  const { readModels } = server
  const gate = Promise.withResolvers<never[]>()
  type Handler = (request: object) => Promise<unknown>
  const handlers = new Map<string, Handler>()
  shiftRoutes({
    ...server,
    answerCall: (name, handler) => void handlers.set(name, handler as Handler),
    visible: createVisibleScope(readModels.directory),
    notifications: { violationSpans: () => gate.promise } as unknown as NotificationIndex,
    budgets: { of: () => ({ budget: undefined, status: undefined }) } as unknown as Budgets,
  })
  const answered: string[] = []
  const requested = (userId: string, companyId: string) =>
    handlers
      .get('shiftSummary')?.({
        params: { groupId: companyId },
        query: { since: new Date(now() - 1).toISOString() },
        visitor: { userId, companyId, groupId: companyId },
      })
      .then(() => answered.push(companyId))
  const all = Array.from({ length: 5 }, () => requested('u1', 'indus'))
  const tooMany = expect(requested('u1', 'indus')).rejects.toThrow(OutOfLine)
  all.push(requested('u3', 'karakoram'))
  gate.resolve([])
  await Promise.all([...all, tooMany])
  expect(answered.slice(0, 4)).toEqual(['indus', 'indus', 'karakoram', 'indus'])
})
