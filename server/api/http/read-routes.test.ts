import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { HISTORY_MAX_MS, HISTORY_TOO_LONG } from '#machines/contracts/calls/device-calls.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import { decodeFleetSnapshot, FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { buildTestServer, PASSWORD, START, type TestServer } from './testing/test-app.ts'

const IMEI = '35000000000000'
const MINUTE = 60_000

let server: TestServer
let top: string
let child: string
beforeAll(async () => {
  server = await buildTestServer()
  top = (await server.signIn('ayesha')).access_token
  child = (await server.signIn('danish')).access_token
  await server.read(
    ...Array.from({ length: 60 }, (_, i) => ({
      device: 1,
      at: START - (59 - i) * MINUTE,
      lat: 31.5 + i / 1000,
      lng: 74.3,
      temperature: i === 30 ? 12.5 : 4 + (i % 3) / 10,
      humidity: 55,
      speed: 60,
      heading: 90,
    })),
    { device: 2, at: START, temperature: -3.25 },
  )
})
afterAll(() => server.close())

describe('the fleet', () => {
  test('is the devices of a group and below, with their newest readings', async () => {
    const { seq, data } = await server.answer('observationsLatest', {
      params: { groupId: 'punjab' },
      token: child,
    })
    expect(seq).toBe(server.readModels.seq)
    expect(data.map(({ imei }) => imei)).toEqual([`${IMEI}1`, `${IMEI}2`])
    expect(data[0]).toMatchObject({
      name: 'Reefer 1',
      thingName: 'Reefer 1',
      plateNumber: 'LES-1',
      type: 'warehouse',
      groupName: 'punjab',
      lastTemp: 4.2,
      lastHum: 55,
      lastLat: 31.559,
      lastLng: 74.3,
      angle: 90,
      timestamp: '2026-11-21T04:00:00.000Z',
    })
    expect(data[1]).toMatchObject({ temperature: -3.25, humidity: null, lat: null, lastLocation: null })
  })

  test('as columns says the same', async () => {
    const response = await server.ask('observationsLatest', {
      params: { groupId: 'indus' },
      token: top,
      headers: { accept: FLEET_CONTENT_TYPE },
    })
    expect(response.headers['content-type']).toBe(FLEET_CONTENT_TYPE)
    const { rawPayload } = response
    const fleet = decodeFleetSnapshot(
      rawPayload.buffer.slice(
        rawPayload.byteOffset,
        rawPayload.byteOffset + rawPayload.byteLength,
      ) as ArrayBuffer,
    )
    expect(fleet.head).toMatchObject({ seq: server.readModels.seq, now: START, devices: 4 })
    expect(fleet.head.groups.map(({ _id, parentId }) => [_id, parentId])).toEqual([
      ['indus', null],
      ['punjab', 'indus'],
      ['sindh', 'indus'],
      ['empty', 'indus'],
      ['lahore', 'punjab'],
    ])
    expect([...fleet.device]).toEqual([0, 1, 2, 3])
    expect([...fleet.group].map((i) => fleet.head.groups[i]?._id)).toEqual([
      'indus',
      'punjab',
      'lahore',
      'sindh',
    ])
    expect([...fleet.kind]).toEqual([0, 1, 0, 1])
    expect([...fleet.temperature]).toEqual([-0x8000, 420, -325, -0x8000])
    expect(fleet.at[1]).toBe(START)
    const text = new TextDecoder()
    const texts = Array.from({ length: 12 }, (_, i) =>
      text.decode(fleet.text.subarray(fleet.textOffsets[i], fleet.textOffsets[i + 1])),
    )
    expect(texts.slice(3, 6)).toEqual([`${IMEI}1`, 'Reefer 1', 'LES-1'])
  })

  test('shows a new name in both forms as soon as it is answered', async () => {
    const other = await buildTestServer()
    const { access_token: token } = await other.signIn('ayesha')
    const columns = () =>
      other.ask('observationsLatest', {
        params: { groupId: 'indus' },
        token,
        headers: { accept: FLEET_CONTENT_TYPE },
      })
    expect((await columns()).body).toContain('Reefer 3')
    const thing = await other.answer('updateThing', {
      params: { imei: `${IMEI}3` },
      body: { name: 'Kühlwagen', groupId: 'lahore' },
      token,
    })
    expect(thing).toMatchObject({ name: 'Kühlwagen', groupId: 'lahore', groupName: 'lahore' })
    expect((await columns()).body).toContain('Kühlwagen')
    const { data } = await other.answer('observationsLatest', { params: { groupId: 'lahore' }, token })
    expect(data.map(({ name }) => name)).toEqual(['Reefer 2', 'Kühlwagen'])
    await other.close()
  })

  test('of a group without devices is empty, in both forms and as a list', async () => {
    const { access_token: token } = await server.signIn('noor')
    const params = { groupId: 'empty' }
    expect((await server.answer('observationsLatest', { params, token })).data).toEqual([])
    expect(await server.answer('groupThings', { params, token })).toEqual([])
    const columns = await server.ask('observationsLatest', {
      params,
      token,
      headers: { accept: FLEET_CONTENT_TYPE },
    })
    const bytes = columns.rawPayload
    expect(
      decodeFleetSnapshot(
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
      ).device.length,
    ).toBe(0)
  })

  test('as a list of things', async () => {
    const things = await server.answer('groupThings', { params: { groupId: 'indus' }, token: top })
    expect(things.map(({ name }) => name)).toEqual(['Reefer 0', 'Reefer 1', 'Reefer 2', 'Reefer 3'])
  })

  test('by make and model', async () => {
    const models = (groupId: string) => server.answer('vehicleModels', { params: { groupId }, token: top })
    expect(await models('indus')).toEqual([{ model: 'Hino 500', devices: '0,1,2,3' }])
    expect(await models('empty')).toEqual([])
  })
})

test('several devices go into a group in one call, and are not moved again under the same key', async () => {
  const other = await buildTestServer()
  const { access_token: token } = await other.signIn('ayesha')
  const move = () =>
    other.ask('moveThings', {
      body: { things: [`${IMEI}1`, `${IMEI}2`, `${IMEI}3`], groupId: 'sindh' },
      token,
      headers: { 'idempotency-key': 'moved-once' },
    })
  expect((await move()).json()).toEqual({ moved: 2, refused: [] })
  const head = other.store.log.head()
  expect((await move()).json()).toEqual({ moved: 2, refused: [] })
  expect(other.store.log.head()).toBe(head)
  const things = await other.answer('groupThings', { params: { groupId: 'sindh' }, token })
  expect(things.map(({ name }) => name)).toEqual(['Reefer 1', 'Reefer 2', 'Reefer 3'])
  await other.close()
})

describe('renaming and moving a device', () => {
  const put = (imei: string, body: unknown, token = child) =>
    server.ask('updateThing', { params: { imei }, body, token })

  test('into a group one does not see is refused like one that is not there, and changes nothing', async () => {
    const before = server.store.log.head()
    for (const groupId of ['indus', 'sindh', 'karakoram', 'nowhere']) {
      const response = await put(`${IMEI}1`, { name: 'x', groupId })
      expect([response.statusCode, response.json()]).toEqual([404, { code: 404, message: 'Not found' }])
    }
    expect(server.store.log.head()).toBe(before)
  })

  test('refuses what is missing, blank or unheard of, by its name', async () => {
    for (const [body, path] of [
      [{ name: 'x' }, 'groupId'],
      [{ groupId: 'punjab', name: '' }, 'name'],
      [{ groupId: 'punjab', name: 'x', imei: 'y' }, 'imei'],
    ] as const) {
      const response = await put(`${IMEI}1`, body)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toContain(`at ${path}:`)
    }
    expect((await put(`${IMEI}1`, { groupId: 'punjab', name: '   ' })).statusCode).toBe(400)
  })
})

describe('the history of a device', () => {
  const ask = (query: Record<string, unknown>, imei = `${IMEI}1`) =>
    server.answer('observations', { params: { imei }, query, token: child })
  const data = { startDate: START - 60 * MINUTE, endDate: START }

  test('is its readings, both ends included, with limits and the newest', async () => {
    const { points, latest, thresholds } = await ask({ data })
    expect(points).toHaveLength(60)
    expect(points[0]?.dateTime).toBe('2026-11-21T03:01:00.000Z')
    expect(points.at(-1)).toEqual({
      dateTime: '2026-11-21T04:00:00.000Z',
      temperature: 4.2,
      humidity: 55,
      lat: 31.559,
      lng: 74.3,
      door: null,
    })
    expect(latest).toEqual(points.at(-1))
    expect(thresholds).toEqual({
      lowTemperatureThreshold: 2,
      highTemperatureThreshold: 8,
      lowHumidityThreshold: 20,
      highHumidityThreshold: 80,
      tmin: -30,
      tmax: 70,
      hmin: -40,
      hmax: 100,
    })
  })

  test('says when what came late was received, thinned or not', async () => {
    const late = [
      {
        from: '2026-11-21T03:01:00.000Z',
        to: '2026-11-21T03:57:00.000Z',
        receivedFrom: '2026-11-21T04:00:00.000Z',
        receivedTo: '2026-11-21T04:00:00.000Z',
        readings: 57,
        upTo: 59 * 60,
      },
    ]
    const { points, ...whole } = await ask({ data })
    expect(whole.late).toEqual(late)
    expect(points.slice(56, 58).map(({ receivedAt }) => receivedAt)).toEqual([
      '2026-11-21T04:00:00.000Z',
      undefined,
    ])
    expect((await ask({ data, maxPoints: 20 })).late).toEqual(late)
    const onTime = await ask({ data: { startDate: START - MINUTE, endDate: START } })
    expect([onTime.points.length, onTime.late]).toEqual([2, undefined])
  })

  test('takes ISO dates too', async () => {
    const iso = { startDate: '2026-11-21T03:30:00Z', endDate: '2026-11-21T08:35:00+05:00' }
    const { points } = await ask({ data: iso })
    expect(points.map(({ dateTime }) => dateTime.slice(11, 16))).toEqual([
      '03:30',
      '03:31',
      '03:32',
      '03:33',
      '03:34',
      '03:35',
    ])
  })

  test('thinned keeps the one reading beyond the limit', async () => {
    const { points } = await ask({ data, maxPoints: 20 })
    expect(points.length).toBeLessThan(60)
    expect(points.map(({ temperature }) => temperature)).toContain(12.5)
  })

  test('without readings is empty and still knows the newest', async () => {
    const long = { startDate: START - 40 * 24 * 60 * MINUTE, endDate: START - 40 * 24 * 60 * MINUTE + MINUTE }
    expect(await ask({ data: long })).toMatchObject({ points: [], latest: { temperature: 4.2 } })
  })

  test('of a device never heard knows nothing', async () => {
    const { points, latest } = await server.answer('observations', {
      params: { imei: `${IMEI}3` },
      query: { data },
      token: top,
    })
    expect([points, latest]).toEqual([[], null])
  })

  test('of 24 hours is answered, of a millisecond more is not, in the words of the documents', async () => {
    const status = async (length: number) => {
      const query = { data: { startDate: START - length, endDate: START } }
      const response = await server.ask('observations', { params: { imei: `${IMEI}1` }, query, token: child })
      return [response.statusCode, response.json().message]
    }
    expect(await status(HISTORY_MAX_MS)).toEqual([200, undefined])
    expect(await status(HISTORY_MAX_MS + 1)).toEqual([400, HISTORY_TOO_LONG])
  })

  test.each([
    ['no data', {}, 'at data:'],
    ['data that is no JSON', { data: '{' }, 'at data:'],
    ['a start that is no date', { data: { startDate: 'yesterday', endDate: START } }, 'at data.startDate:'],
    ['no end', { data: { startDate: START } }, 'at data.endDate:'],
    ['an end before the start', { data: { startDate: START, endDate: START - 1 } }, 'greater than end date'],
    ['a number of points that is none', { data, maxPoints: 'many' }, 'at maxPoints:'],
  ])('with %s is refused', async (_, query, words) => {
    const response = await server.ask('observations', { params: { imei: `${IMEI}1` }, query, token: child })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain(words)
  })
})

describe('groups and users', () => {
  test('a group has all below it, counted', async () => {
    const group = await server.answer('group', { params: { id: 'indus' }, token: top })
    expect(group).toMatchObject({
      _id: 'indus',
      parentId: null,
      totalVehicles: 4,
      assignedVehicles: 3,
      unAssignedvehicles: 1,
      users: 2,
      things: [`${IMEI}0`],
      allThings: [`${IMEI}0`, `${IMEI}1`, `${IMEI}2`, `${IMEI}3`],
      tmin: -30,
      bam: { firstName: 'Bilal' },
      partner: { emergencyHelpLineNumber: '111' },
    })
    expect(group.child.map(({ _id }) => _id)).toEqual(['punjab', 'sindh', 'empty'])
    expect(group.child[0]).toMatchObject({
      parentId: 'indus',
      totalVehicles: 2,
      assignedVehicles: 1,
      users: 1,
    })
  })

  test('a group has the documents’ limit of speed, and no fields that nothing has set', async () => {
    const group = await server.answer('group', { params: { id: 'punjab' }, token: top })
    expect(group).toMatchObject({ overSpeedingThreshold: 120 })
    for (const field of ['lowIntensityOverSpeeding', 'highIntensityOverSpeeding', 'nrConfig'])
      expect(group).not.toHaveProperty(field)
  })

  test('the group above the own is not told', async () => {
    expect((await server.answer('group', { params: { id: 'punjab' }, token: child })).parentId).toBeNull()
  })

  test('subgroups are those directly below, each with its own', async () => {
    const groups = await server.answer('subgroups', { params: { groupId: 'indus' }, token: top })
    expect(groups.map(({ _id, child: below }) => [_id, below.length])).toEqual([
      ['punjab', 1],
      ['sindh', 0],
      ['empty', 0],
    ])
  })

  test('the groups of a company are those that are visible', async () => {
    const groups = await server.answer('companyGroups', { params: { companyId: 'indus' }, token: child })
    expect(groups.map(({ _id }) => _id)).toEqual(['punjab'])
  })

  test('the header is told the name, picture and depth of a group that is visible', async () => {
    const info = { name: 'punjab', groupImage: null, depthLevel: 2 }
    expect(await server.answer('groupInfo', { params: { id: 'punjab' }, token: child })).toEqual(info)
    expect((await server.ask('groupInfo', { params: { id: 'indus' }, token: child })).statusCode).toBe(404)
  })

  test('users are those of the group and below', async () => {
    const names = async (groupId: string, token: string) =>
      (await server.answer('groupUsers', { params: { groupId }, token })).map(({ userName }) => userName)
    expect(await names('indus', top)).toEqual(['ayesha', 'danish', 'noor', 'rabia'])
    expect(await names('punjab', child)).toEqual(['danish'])
    const user = await server.answer('user', { params: { id: 'u2' }, token: child })
    expect(user).toMatchObject({
      email: 'danish@indus.example',
      group: { _id: 'punjab', child: [{ _id: 'lahore' }] },
    })
    expect(JSON.stringify(user)).not.toContain('argon2')
  })
})

describe('long answers', () => {
  const ask = (from: string, encoding: string) =>
    server.ask('observations', {
      params: { imei: `${IMEI}1` },
      query: { data: { startDate: START - 60 * MINUTE, endDate: START } },
      token: child,
      from,
      headers: { 'accept-encoding': encoding },
    })

  test('cross a network compressed, and are the same', async () => {
    const far = await ask('10.0.0.7', 'br, gzip')
    expect(far.headers['content-encoding']).toBe('gzip')
    const near = await ask('127.0.0.1', 'gzip')
    expect(near.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(far.rawPayload).toString()).toBe(near.body)
    expect((await ask('10.0.0.7', 'identity')).body).toBe(near.body)
  })
})

describe('the server', () => {
  test('tells the time of its own clock', async () => {
    expect(await server.answer('time')).toEqual({ now: START, simulator: true, timeZone: 'Asia/Karachi' })
  })

  test('shows its accounts with the device world on, and none without', async () => {
    expect(await server.answer('demoAccounts')).toEqual([
      { userName: 'ayesha', email: 'ayesha@indus.example', password: PASSWORD, note: 'all of Indus' },
    ])
    const real = await buildTestServer({ simulator: false })
    expect(await real.answer('demoAccounts')).toEqual([])
    await real.close()
  })

  test('describes what may be null as such, and what a refusal may say', async () => {
    const { paths } = await server.answer('openapi')
    const answersOf = (path: string, verb: string) => paths[`/api${path}`][verb].responses
    const why = answersOf('/users/notifications/{id}/why', 'get')['200'].content['application/json'].schema
    expect(why.properties.violation.properties.clearReason.enum).toEqual([
      'back-inside',
      'threshold-changed',
      'sensor-unplugged',
      null,
    ])
    const refused = answersOf('/users', 'post')['4XX'].content['application/json'].schema
    // the documents' word beside the status
    expect(refused.properties.code.type).toEqual(['number', 'string'])
  })

  test('describes every call of the contract that it answers, and nothing else', async () => {
    const { openapi, paths } = await server.answer('openapi')
    expect(openapi).toMatch(/^3\.1/)
    const called = Object.values(CALLS).map(({ path }) => `${API_PREFIX}${path}`)
    expect(new Set(Object.keys(paths))).toEqual(new Set(called))
    expect(Object.keys(paths['/api/groups/{groupId}/observations-latest'])).toEqual(['get'])
    expect(paths['/api/things/{imei}'].put).toMatchObject({
      security: [{ bearer: [] }],
      parameters: [
        { in: 'path', name: 'imei', required: true, schema: { type: 'string' } },
        { in: 'header', name: 'if-match', required: false },
        { in: 'header', name: 'idempotency-key', required: false },
      ],
      requestBody: {
        content: {
          'application/json': {
            schema: { type: 'object', required: ['groupId', 'name'], additionalProperties: false },
          },
        },
      },
    })
  })
})
