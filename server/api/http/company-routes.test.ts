import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CallName } from '#machines/contracts/calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { EditConflict } from '#machines/contracts/entities/changes.ts'
import type { FactOf } from '#machines/contracts/facts.ts'
import { type Ask, buildTestServer, type TestServer } from './testing/test-app.ts'

let server: TestServer
let top: string
let child: string
beforeEach(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
})
afterEach(() => server.close())

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}
const imeiOf = (no: number) => String(350_000_000_000_000 + no)
const omar = {
  firstName: 'Omar',
  lastName: 'Shah',
  email: 'omar@indus.example',
  phone: '+923001234567',
  groupId: 'lahore',
}
const switches = (isOn: boolean) => ({
  LOW_TEMPERATURE_DETECTED: isOn,
  LOW_HUMIDITY_DETECTED: isOn,
  HIGH_TEMPERATURE_DETECTED: isOn,
  HIGH_HUMIDITY_DETECTED: isOn,
})
async function refusal(name: CallName, ask: Ask) {
  const response = await server.ask(name, { token: top, ...ask })
  return { status: response.statusCode, ...response.json() }
}
const historyOf = async (name: 'groupHistory' | 'userHistory', id: string, token = top) =>
  (await server.answer(name, { params: { id }, token })).changes

describe('a new user', () => {
  test('is answered as the documents have it, gets a link by mail, and is no colleague yet', async () => {
    const { code, user } = await server.answer('createUser', { body: omar, token: top })
    expect([code, user]).toMatchObject([
      'success',
      {
        userName: 'omar',
        phone: '03001234567',
        type: 'Manager',
        group: { name: 'lahore' },
        activated: false,
      },
    ])
    const [link] = server.store.log.readFacts(0, { types: ['link.issued'] }) as FactOf<'link.issued'>[]
    expect(link?.data).toMatchObject({ userId: user?._id, purpose: 'activation' })
    const again = await server.answer('resendLink', { body: { id: user?._id }, token: top })
    expect(again.message).not.toBe('')
    expect(server.store.log.readFacts(0, { types: ['link.issued'] })).toHaveLength(2)
  })

  test('with an address that is taken is refused with the code of an error', async () => {
    expect(await refusal('createUser', { body: { ...omar, email: 'danish@indus.example' } })).toMatchObject({
      status: 409,
      code: 'error',
      message: 'A user with this email already exists',
      path: 'email',
    })
    expect(await refusal('createUser', { body: { ...omar, phone: '+92300123456789' } })).toMatchObject({
      status: 422,
      code: 'error',
      message: 'Invalid phone number',
    })
  })

  test('two at once with one address are one', async () => {
    const both = await Promise.all([omar, omar].map((body) => server.ask('createUser', { body, token: top })))
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
  })

  test('needs no other link once they are active', async () => {
    expect(await refusal('resendLink', { body: { id: 'u2' } })).toMatchObject({ status: 409 })
  })
})

test('who is deleted is outside at once', async () => {
  expect((await server.ask('me', { token: child })).statusCode).toBe(200)
  const { message } = await server.answer('deleteUser', { params: { id: 'u2' }, token: top })
  expect(message).toBe('User deleted Successfully')
  expect((await server.ask('me', { token: child })).statusCode).toBe(401)
  expect((await server.ask('login', { body: { username: 'danish', password: 'x' } })).statusCode).toBe(401)
})

describe('two people who change the same thing', () => {
  const two: [CallName, CallName, Record<string, string>, (text: string) => object][] = [
    ['group', 'updateGroup', { id: 'lahore' }, (name) => ({ name, description: '', ...limits })],
    ['group', 'renameGroup', { id: 'lahore' }, (name) => ({ name })],
    [
      'user',
      'updateUser',
      { id: 'u2' },
      (firstName) => ({ firstName, lastName: 'Malik', phone: '0300', groupId: 'punjab' }),
    ],
    ['thing', 'updateThing', { imei: imeiOf(1) }, (name) => ({ name, groupId: 'punjab' })],
  ]

  test.each(two)(
    '%s, %s: the second is told who was first, and what there is now',
    async (get, put, params, body) => {
      const seen = await server.ask(get, { params, token: top })
      const etag = String(seen.headers.etag)
      expect(etag).toBe(`"${seen.json().version}"`)
      const change = (text: string, token: string) =>
        server.ask(put, { params, token, body: body(text), headers: { 'if-match': etag } })
      const first = await change('First', child)
      expect([first.statusCode, first.headers.etag]).toEqual([200, `"${first.json().version}"`])

      const late = await change('Second', top)
      expect(late.statusCode).toBe(412)
      const conflict = decode(late.json(), EditConflict)
      expect(conflict).toMatchObject({
        current: first.json(),
        by: { _id: 'u2', name: expect.stringContaining('Malik') },
        at: '2026-11-21T04:00:00.000Z',
      })
      const version = String((conflict.current as { version: string }).version)
      const retried = await server.ask(put, {
        params,
        token: top,
        body: body('Second'),
        headers: { 'if-match': `"${version}"` },
      })
      expect(retried.statusCode).toBe(200)
      expect((await server.ask(put, { params, token: top, body: body('Third') })).statusCode).toBe(200)
    },
  )

  test('settings too, and none of them gets into the way of a name', async () => {
    const params = { id: 'u2' }
    const user = await server.answer('user', { params, token: top })
    const settings = await server.ask('notificationSettings', { params, token: top })
    expect(settings.headers.etag).toBe(`"${user.version}"`)
    const headers = { 'if-match': `"${user.version}"` }
    const alerts = { sms: switches(false), email: switches(true) }
    const set = (sms: boolean) =>
      server.ask('updateSmsEmailSetting', {
        params,
        token: top,
        headers,
        body: { ...alerts, sms: switches(sms) },
      })
    expect((await set(false)).statusCode).toBe(200)
    const late = await set(true)
    expect([late.statusCode, late.json().current]).toMatchObject([412, alerts])
    const body = { firstName: 'Danish', lastName: 'Malik', phone: '0300', groupId: 'punjab' }
    expect((await server.ask('updateUser', { params, token: top, headers, body })).statusCode).toBe(200)
    expect(await server.answer('user', { params, token: top })).toMatchObject({
      smsSetting: switches(false),
      emailSetting: switches(true),
    })
  })

  test('neither do the devices of a group, where only its name is changed', async () => {
    const { version } = await server.answer('group', { params: { id: 'lahore' }, token: top })
    const headers = { 'if-match': version }
    await server.answer('updateThing', {
      params: { imei: imeiOf(1) },
      token: top,
      body: { name: 'x', groupId: 'lahore' },
    })
    const params = { id: 'lahore' }
    const name = await server.ask('renameGroup', { params, token: top, headers, body: { name: 'L' } })
    expect(name.statusCode).toBe(200)
  })
})

describe('the history', () => {
  test('of a group tells who changed what, newest first, before and after', async () => {
    const params = { id: 'lahore' }
    await server.answer('renameGroup', {
      params,
      token: top,
      body: { name: 'Lahore', highTemperatureThreshold: 9 },
    })
    server.clock.at += 1000
    await server.answer('updateGroup', {
      params,
      token: child,
      body: { name: 'Lahore', description: '', ...limits, highTemperatureThreshold: 9, things: [imeiOf(1)] },
    })
    const [newest, older, oldest] = await historyOf('groupHistory', 'lahore')
    expect(newest).toEqual({
      at: '2026-11-21T04:00:01.000Z',
      by: { _id: 'u2', name: 'danish Malik' },
      action: 'updated',
      changes: [
        { field: 'things', before: null, after: 'Reefer 1' },
        { field: 'things', before: 'Reefer 2', after: null },
      ],
      more: 0,
    })
    expect(older?.changes).toEqual([
      { field: 'name', before: 'lahore', after: 'Lahore' },
      { field: 'highTemperatureThreshold', before: 8, after: 9 },
    ])
    expect(oldest).toMatchObject({ action: 'created', by: null })
    const page = await server.answer('groupHistory', { params, token: top, query: { skip: 1, limit: 1 } })
    expect(page).toEqual({ changes: [older], total: 3 })
  })

  test('keeps the doer’s name when they are gone', async () => {
    await server.answer('renameGroup', { params: { id: 'lahore' }, token: child, body: { name: 'Lhr' } })
    await server.answer('deleteUser', { params: { id: 'u2' }, token: top })
    const [change] = await historyOf('groupHistory', 'lahore')
    expect(change?.by).toEqual({ _id: 'u2', name: 'danish Malik' })
  })

  test('tells nobody the name of a group they do not see, be it gone', async () => {
    const move = (token: string, groupId: string) =>
      server.answer('updateThing', {
        params: { imei: imeiOf(3) },
        token,
        body: { name: 'Reefer 3', groupId },
      })
    await move(top, 'punjab')
    const fields = async (token: string) =>
      (await server.answer('thingHistory', { params: { imei: imeiOf(3) }, token })).changes[0]?.changes
    expect(await fields(top)).toEqual([{ field: 'group', before: 'sindh', after: 'punjab' }])
    expect(await fields(child)).toEqual([{ field: 'group', before: 'Another group', after: 'punjab' }])
    await server.answer('deleteGroup', { params: { id: 'sindh' }, token: top })
    expect(await fields(top)).toEqual([{ field: 'group', before: 'sindh', after: 'punjab' }])
    expect(await fields(child)).toEqual([{ field: 'group', before: 'Another group', after: 'punjab' }])
  })

  test('is for managers', async () => {
    const { user } = await server.answer('createUser', { body: { ...omar, type: 'User' }, token: top })
    const userId = user?._id ?? ''
    const hash = server.readModels.directory.users.get('u1')?.passwordHash ?? ''
    await server.store.log.append('x', [
      { type: 'user.password-set', at: server.clock.at, companyId: 'indus', data: { userId, hash } },
    ])
    await server.readModels.settled(server.store.log.head())
    const token = (await server.signIn('omar')).access_token
    expect(await refusal('groupHistory', { params: { id: 'lahore' }, token })).toMatchObject({ status: 403 })
    expect(await refusal('groupHistory', { params: { id: 'punjab' }, token })).toMatchObject({ status: 404 })
  })

  test('of a user tells what became of them', async () => {
    const { user } = await server.answer('createUser', { body: omar, token: top })
    const id = user?._id ?? ''
    const body = { firstName: 'Umar', lastName: 'Shah', phone: '03001234567', groupId: 'sindh' }
    await server.answer('updateUser', { params: { id }, token: top, body })
    const settings = await server.answer('notificationSettings', { params: { id }, token: top })
    const { version: _, ...known } = settings
    await server.answer('updateNotificationSettings', {
      params: { id },
      token: top,
      body: { ...known, buzzer: false },
    })
    expect((await historyOf('userHistory', id)).flatMap(({ changes }) => changes).slice(0, 3)).toEqual([
      { field: 'firstName', before: 'Omar', after: 'Umar' },
      { field: 'group', before: 'lahore', after: 'sindh' },
      { field: 'buzzer', before: true, after: false },
    ])
  })
})

test('the description says what is versioned, what takes a file, and what answers a picture', async () => {
  const { paths } = await server.answer('openapi')
  const { put } = paths['/api/groups/{id}/image']
  expect(Object.keys(put.requestBody.content)).toEqual(['multipart/form-data'])
  expect(put.parameters).toContainEqual(expect.objectContaining({ in: 'header', name: 'if-match' }))
  expect(put.responses).toHaveProperty('412')
  const shown = paths['/api/images/{image}'].get.responses['200'].content
  expect(Object.keys(shown)).toEqual(['image/webp'])
})

describe('calls without a screen', () => {
  test('say how long somebody may drive, and remember it', async () => {
    const params = { id: 'punjab' }
    const get = () => server.answer('fatigueThreshold', { params, token: child })
    expect(await get()).toEqual({ enabled: false, drivingMinutes: 270, restMinutes: 45 })
    const body = { enabled: true, drivingMinutes: 240 }
    expect(await server.answer('updateFatigueThreshold', { params, token: child, body })).toMatchObject(body)
    expect(await get()).toEqual({ enabled: true, drivingMinutes: 240, restMinutes: 45 })
    expect(
      await refusal('updateFatigueThreshold', { params, token: child, body: { restMinutes: 1441 } }),
    ).toMatchObject({ status: 422, path: 'restMinutes' })
  })

  test('say which driving events count, for the whole company', async () => {
    const params = { companyId: 'indus' }
    const { drivingScoreSetting, version } = await server.answer('drivingScoreSetting', {
      params,
      token: child,
    })
    const body = { drivingScoreSetting: { ...drivingScoreSetting, sharpTurn: false } }
    const headers = { 'if-match': `"${version}"` }
    const put = (token: string) => server.ask('updateDrivingScoreSetting', { params, token, body, headers })
    expect((await put(child)).statusCode).toBe(403)
    expect((await put(top)).statusCode).toBe(200)
    expect((await put(top)).statusCode).toBe(412)
    expect(await server.answer('drivingScoreSetting', { params, token: child })).toMatchObject(body)
  })

  test('list vehicles, without warehouses, and drivers by group', async () => {
    await server.answer('createUser', { body: { ...omar, role: 'driver' }, token: top })
    const params = { id: 'punjab' }
    const [punjab] = await server.answer('vehicleGroups', { params, token: child })
    expect(punjab).toMatchObject({
      name: 'punjab',
      vehicles: [],
      child: [{ name: 'lahore', vehicles: [{ imei: imeiOf(2) }], child: [] }],
    })
    expect(await server.answer('driverGroups', { params, token: child })).toMatchObject([
      { name: 'punjab', drivers: [] },
      { name: 'lahore', drivers: [{ name: 'Omar Shah' }] },
    ])
  })
})
