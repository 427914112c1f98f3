import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SigningOff } from '#machines/contracts/entities/sign-off.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { shelvingStream } from '../../commands/notifications/shelve.ts'
import { device, sensorUnplugged, violationOpened, violationRevised } from '../../testing/facts.ts'
import { signOffBy } from './sign-off.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
/** Device 1 is in `punjab`, 3 in `sindh`. */
const [PUNJAB, SINDH] = ['350000000000001', '350000000000003'] as const
const at = (minutes: number) => START + minutes * MINUTE
const iso = (minutes: number) => new Date(at(minutes)).toISOString()

let server: TestServer
let top: string
let child: string
beforeEach(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
})
afterEach(() => server.close())

async function append(...facts: NewFact[]): Promise<string[]> {
  const stored = await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
  return stored.facts.map(({ id }) => id)
}
const opened = (imei: string, minutes: number) => violationOpened(imei, at(minutes), {}, 'indus')
const cleared = (imei: string, openedAt: number, minutes: number): NewFact => ({
  ...{ type: 'violation.cleared', at: at(minutes), companyId: 'indus' },
  data: {
    ...{ violationId: `${imei}-${at(openedAt)}`, imei, type: 'HIGH_TEMPERATURE_DETECTED' },
    ...{ value: 7, worst: 11, durationSeconds: 60, reason: 'back-inside' },
  },
})
const theCase = (id: string, token = top) => server.answer('violationCase', { params: { id }, token })
const close = (id: string, fields: Partial<SigningOff> = {}, token = child, from?: string) =>
  server.ask('closeCase', {
    params: { id },
    body: { reason: 'Door was open', meaning: 'reviewed', password: PASSWORD, ...fields },
    token,
    ...(from !== undefined && { from }),
  })

test('nothing is signed with a password that is no longer the own once it is compared', async () => {
  const visitor = await server.access.visitorOf(child)
  const user = server.readModels.directory.users.get('u2')
  if (visitor === undefined || user === undefined) throw new Error('nobody is signed in')
  const signing = signOffBy(server, visitor, { meaning: 'reviewed', password: PASSWORD })
  user.passwordHash = 'another'
  await expect(signing).rejects.toMatchObject({ status: 401 })
})

test('tells what happened to a violation in order, with what was shelved before it opened', async () => {
  await server.ask('shelve', {
    params: { imei: PUNJAB, type: 'HIGH_TEMPERATURE_DETECTED' },
    body: { minutes: 600, reason: 'Defrost' },
    token: top,
  })
  server.clock.at += 5 * MINUTE
  const [id = ''] = await append(opened(PUNJAB, 1))
  await server.ask('acknowledge', { params: { id }, body: { reason: 'Door open' }, token: child })
  await server.ask('comment', { params: { id }, body: { comment: 'Closing it' }, token: top })
  await append(opened(SINDH, 2), cleared(PUNJAB, 1, 30))
  const { events, versions, closed, notification, why, zone } = await theCase(id)
  expect(events.map(({ what, who, text }) => [what, who, text])).toEqual([
    ['shelved', 'ayesha Malik', 'Defrost'],
    ['opened', '', ''],
    ['acknowledged', 'danish Malik', 'Door open'],
    ['commented', 'ayesha Malik', 'Closing it'],
    ['ended', '', ''],
  ])
  expect(versions).toMatchObject([{ openedAt: iso(1), clearedAt: iso(30), worst: 11, neverWas: false }])
  expect([closed, notification.thing, why.violation.worst, zone]).toEqual([null, PUNJAB, 11, 'Asia/Karachi'])
})

test('has each end that was recorded before late readings said that it lasts', async () => {
  const [id = ''] = await append(opened(PUNJAB, 1))
  await append(opened(SINDH, 2))
  for (const minutes of [30, 33]) {
    server.clock.at = at(minutes)
    await append(cleared(SINDH, 2, minutes), cleared(PUNJAB, 1, minutes))
    server.clock.at = at(minutes + 1)
    const before = { since: at(0), openedAt: at(1), clearedAt: at(minutes), threshold: 8, worst: 11 }
    const after = { ...before, clearedAt: null }
    await append(violationRevised(PUNJAB, at(1), { before, after }, 'indus'))
  }
  server.clock.at = at(50)
  await append(cleared(PUNJAB, 1, 50))
  const token = (await server.signIn('ayesha')).access_token
  const { events, versions } = await theCase(id, token)
  expect(events.map((one) => [one.what, one.at])).toEqual([
    ['opened', iso(1)],
    ['ended', iso(30)],
    ['revised', iso(31)],
    ['ended', iso(33)],
    ['revised', iso(34)],
    ['ended', iso(50)],
  ])
  expect(versions.map(({ clearedAt, worst }) => [clearedAt, worst])).toEqual([
    [iso(30), 11],
    [iso(33), 11],
    [iso(50), 11],
  ])
})

describe('of a device with another tracker', () => {
  const [type, AFTER, NEXT] = ['HIGH_TEMPERATURE_DETECTED', '350000000000099', '350000000000098'] as const
  const replaced = (before: string, after: string): NewFact => ({
    ...{ type: 'device.tracker-replaced', at: at(0), companyId: 'indus' },
    data: { no: 1, before, after },
  })
  const shelved = (imei: string, reason: string): NewFact => ({
    ...{ type: 'violation.shelved', at: at(0), companyId: 'indus' },
    data: { imei, type, until: at(600), reason, userName: 'ayesha Malik' },
  })

  test('has what was shelved and told again by the IMEI of the one before', async () => {
    await append(replaced(PUNJAB, AFTER))
    const [id = ''] = await append(opened(AFTER, 1))
    server.clock.at = at(2)
    const params = { imei: PUNJAB, type }
    const body = { minutes: 60, reason: 'Defrost' }
    expect(await server.answer('shelve', { params, body, token: top })).toMatchObject({ imei: AFTER })
    server.clock.at = at(3)
    await server.answer('unshelve', { params, token: top })
    const facts = server.store.log.readStream(shelvingStream(AFTER))
    expect(facts.map((fact) => fact.type)).toEqual(['violation.shelved', 'violation.unshelved'])
    const { events } = await theCase(id)
    expect(events.map(({ what }) => what)).toEqual(['opened', 'shelved', 'unshelved'])
  })

  test('has what is recorded in the streams of its former IMEIs, also of one that another has now', async () => {
    await append(replaced(PUNJAB, NEXT), replaced(NEXT, AFTER))
    const { log } = server.store
    await log.append(shelvingStream(PUNJAB), [shelved(AFTER, 'Defrost')])
    await log.append(shelvingStream(NEXT), [shelved(AFTER, 'Loading')])
    await append(device(5, PUNJAB, 'indus', 'punjab'))
    await log.append(shelvingStream(PUNJAB), [shelved(PUNJAB, 'Of the other')])
    const [id = ''] = await append(opened(AFTER, 1))
    const { events } = await theCase(id)
    expect(events.map(({ what, text }) => [what, text])).toEqual([
      ['shelved', 'Defrost'],
      ['shelved', 'Loading'],
      ['opened', ''],
    ])
  })
})

test('is read of the record about it alone, whatever happens to others afterwards', async () => {
  const [id = ''] = await append(opened(PUNJAB, 1), cleared(PUNJAB, 1, 30))
  const readFacts = vi.spyOn(server.store.log, 'readFacts')
  const requested = async () => {
    readFacts.mockClear()
    await theCase(id)
    await close(id)
    await server.answer('requestCase', { params: { id }, token: top })
    return readFacts.mock.results.reduce((sum, { value }) => sum + value.length, 0)
  }
  const alone = await requested()
  const foreign = '350000000000004'
  await append(
    ...Array.from({ length: 10_000 }, (_, i): NewFact[] => [
      violationOpened(foreign, at(31) + i, {}, 'karakoram'),
      {
        ...{ type: 'violation.cleared', at: at(31) + i, companyId: 'karakoram' },
        data: {
          ...{ violationId: `${foreign}-${i}`, imei: foreign, type: 'HIGH_TEMPERATURE_DETECTED' },
          ...{ value: 7, worst: 11, durationSeconds: 60, reason: 'back-inside' },
        },
      },
    ]).flat(),
  )
  expect(await requested()).toBeLessThanOrEqual(alone)
})

describe('closing a case', () => {
  test('asks for the password, and keeps the name, the meaning and the time with its zone', async () => {
    const [id = ''] = await append(opened(PUNJAB, 1), cleared(PUNJAB, 1, 30))
    const answer = await close(id, { meaning: 'investigated' })
    expect(answer.statusCode).toBe(200)
    const signOff = {
      ...{ meaning: 'investigated', name: 'danish Malik', zone: 'Asia/Karachi' },
      at: new Date(server.clock.now()).toISOString(),
    }
    expect(answer.json().closed).toEqual({ reason: 'Door was open', signOff })
    const fact = server.store.log.readFacts(0, { types: ['case.closed'] })[0]
    expect(fact?.data).toMatchObject({ signOff: { name: 'danish Malik', at: server.clock.now() } })
    expect(JSON.stringify(fact)).not.toContain(PASSWORD)
    const again = await close(id, {}, top)
    expect([again.statusCode, again.json().message]).toEqual([409, 'Already closed by danish Malik'])
  })

  test.each([
    ['another password', { password: 'Wr0ng#line24' }, 'password', 'The password is wrong'],
    ['a reason of blanks', { reason: '  ' }, 'reason', 'Please say why it is closed'],
    ['a meaning of loads', { meaning: 'released' }, 'meaning', 'A case is closed as reviewed'],
  ] as const)('with %s is refused where it is wrong', async (_, fields, path, words) => {
    const [id = ''] = await append(opened(PUNJAB, 1), cleared(PUNJAB, 1, 30))
    const answer = await close(id, fields)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ errors: [{ path, message: expect.stringContaining(words) }] })
    expect((await theCase(id)).closed).toBeNull()
  })

  test('while the violation lasts, of what is none and of what one does not see is refused', async () => {
    const [lasts = '', none = '', foreign = ''] = await append(
      opened(PUNJAB, 1),
      sensorUnplugged(PUNJAB, at(2), 'indus'),
      opened(SINDH, 1),
    )
    expect((await close(lasts)).json().message).toMatch(/still lasts/)
    expect((await close(none)).statusCode).toBe(422)
    for (const call of ['violationCase', 'requestCase'] as const)
      expect((await server.ask(call, { params: { id: foreign }, token: child })).statusCode).toBe(404)
    expect((await close(foreign)).statusCode).toBe(404)
  })

  test('lets nobody guess the password: after five the account waits, at sign-in too', async () => {
    const [id = ''] = await append(opened(PUNJAB, 1), cleared(PUNJAB, 1, 30))
    for (let i = 0; i < 5; i++)
      expect((await close(id, { password: `Guess#${i}` }, child, `10.9.0.${i}`)).statusCode).toBe(422)
    const sixth = await close(id, {}, child, '10.9.0.9')
    expect(sixth.statusCode).toBe(429)
    const login = await server.ask('login', {
      body: { username: 'danish', password: PASSWORD },
      from: '10.9.0.10',
    })
    expect(login.statusCode).toBe(401)
  })
})

test('its PDF is a report of the case, and asked for again the next version of it', async () => {
  const [id = ''] = await append(opened(PUNJAB, 1), cleared(PUNJAB, 1, 30))
  server.clock.at += 60 * MINUTE
  const token = (await server.signIn('danish')).access_token
  const request = () => server.answer('requestCase', { params: { id }, token })
  const { _id: first } = await request()
  expect((await request())._id).toBe(first)
  server.clock.at += MINUTE
  const { _id: second } = await request()
  const record = server.readModels.directory.reports.get(first)
  expect(record).toMatchObject({ kind: 'case', things: [PUNJAB], notificationId: id, groupId: 'punjab' })
  expect([record?.from, record?.to].map((ms) => ms && ms < at(1))).toEqual([true, false])
  expect(server.readModels.directory.reports.get(second)).toMatchObject({ version: 2, firstId: first })
})
