import { Readable } from 'node:stream'
import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import type { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { user } from '../../testing/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const HEADING = 'IMEI,Name,Plate,Type,Make and model,Group'
const imeiOf = (n: number): string => String(490_154_203_200_000 + n)
const listOf = (count: number): string =>
  [
    HEADING,
    ...Array.from({ length: count }, (_, n) => `${imeiOf(n)},Reefer ${n},LES-${n},vehicle,Hino,Punjab`),
  ].join('\n')

let server: TestServer
const FACTS: NewFact[] = [
  user('u7', 'indus', 'indus', 'nadia', { superAdmin: true }),
  {
    type: 'user.signed-in',
    at: START,
    companyId: 'indus',
    data: { userId: 'u7', sessionId: 's-nadia', refreshHash: 'h', expiresAt: START + 86_400_000 },
  },
]

/** a super admin of Indus */
let token: string
beforeEach(async () => {
  server = await buildTestServer({ facts: FACTS })
  const claims = { sub: 'u7', companyId: 'indus', groupId: 'indus', sid: 's-nadia', superAdmin: true }
  token = await server.access.tokens.sign({ ...claims, scope: 'full' }, 3600)
})
afterEach(() => server.close())

const formOf = (file: string | Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="fleet.csv"\r\n\r\n'),
    Buffer.from(file),
    Buffer.from('\r\n--edge--\r\n'),
  ])
const sendBody = (body: Buffer | Readable, as = token) =>
  server.ask('importDevices', {
    token: as,
    query: { fileName: 'fleet.csv' },
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    body,
  })
const send = (file: string | Uint8Array, as = token) => sendBody(formOf(file), as)

async function until(id: string, ...states: DeviceImport['state'][]): Promise<DeviceImport> {
  for (;;) {
    const job = await server.answer('deviceImport', { params: { id }, token })
    if (states.includes(job.state)) return job
    if (['failed', 'cancelled', 'done'].includes(job.state)) throw new Error(`${job.state}: ${job.reason}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
const checked = async (file: string | Uint8Array): Promise<DeviceImport> =>
  until((await send(file)).json()._id, 'checked')
const apply = (id: string, body: object = {}, headers = {}) =>
  server.ask('applyImport', { params: { id }, token, body, headers })

describe('a list of devices', () => {
  test('is checked, added when somebody says so, and changes nothing a second time', async () => {
    const job = await checked(listOf(1_200))
    expect(job).toMatchObject({
      fileName: 'fleet.csv',
      lines: 1_200,
      toAdd: 1_200,
      known: 0,
      faults: 0,
      added: 0,
    })
    expect(server.readModels.directory.numbers.has(imeiOf(0))).toBe(false)
    expect((await apply(job._id)).statusCode).toBe(202)
    expect(await until(job._id, 'done')).toMatchObject({ added: 1_200 })
    const { directory } = server.readModels
    expect(deviceByImei(directory, imeiOf(1_199))).toMatchObject({ name: 'Reefer 1199', groupId: 'punjab' })
    const before = directory.devices.length
    const again = await checked(listOf(1_200))
    expect(again).toMatchObject({ toAdd: 0, known: 1_200, differing: 0 })
    await apply(again._id)
    await until(again._id, 'done')
    expect(directory.devices).toHaveLength(before)
  })

  test('that is taken is answered the same once more where the answer was lost', async () => {
    const job = await checked(listOf(1))
    const headers = { 'idempotency-key': '6f1f2b1e-0c7a-4a5e-9b39-1f2f3c4d5e6f' }
    expect((await apply(job._id, {}, headers)).statusCode).toBe(202)
    const again = await apply(job._id, {}, headers)
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true'])
    await until(job._id, 'done')
  })

  test('names each bad line, and the good ones are added only where one says so', async () => {
    const file = `${listOf(497)}\nnot an imei,A,,,,\n${imeiOf(900)},,,,,\n${imeiOf(901)},B,,,,Nowhere\n`
    const job = await checked(file)
    expect(job).toMatchObject({ lines: 500, toAdd: 497, faults: 3 })
    const { remarks, total } = await server.answer('importRemarks', {
      params: { id: job._id },
      query: { of: 'faults' },
      token,
    })
    expect(total).toBe(3)
    expect(remarks.map(({ line, reason }) => `${line}: ${reason}`)).toEqual([
      '499: “not an imei” is no IMEI: 15 digits are expected',
      '500: The name is missing',
      '501: There is no group “Nowhere”',
    ])
    expect((await apply(job._id)).statusCode).toBe(409)
    expect((await apply(job._id, { only: 'good-lines' })).statusCode).toBe(202)
    expect(await until(job._id, 'done')).toMatchObject({ added: 497 })
  })

  test('may be a workbook, whose numbers are not rounded', async () => {
    const rows = listOf(3)
      .split('\n')
      .map((line, row) =>
        line
          .split(',')
          .map((value, i) =>
            row > 0 && i === 0 ? { value: Number(value), type: Number } : { value, type: String },
          ),
      )
    const bytes = await writeExcelFile(rows).toBuffer()
    expect(await checked(bytes)).toMatchObject({ lines: 3, toAdd: 3, faults: 0 })
  })

  test('may come with semicolons, a byte order mark and lines within cells', async () => {
    const file = `\uFEFF${HEADING.replaceAll(',', ';')}\r\n${imeiOf(1)};"Reefer\r\n1";;;;\r\nx;;;;;\r\n`
    const job = await checked(file)
    expect(job).toMatchObject({ lines: 2, toAdd: 1 })
    const { remarks } = await server.answer('importRemarks', {
      params: { id: job._id },
      query: { of: 'faults' },
      token,
    })
    expect(remarks.map(({ line }) => line)).toEqual([4])
  })

  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty file', '', /empty/],
    ['one without a heading', '1,2,3\n', /no column IMEI/],
    ['one that is no workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), /no workbook/],
    ['a workbook without a sheet', zipSync({ 'a.xml': strToU8('<a/>') }), /cannot be read/],
    ['a quote that never ends', `${HEADING}\n"${'x'.repeat(70_000)}`, /cannot be read/],
  ])('%s is refused with the reason', async (_, file, reason) => {
    const { _id } = (await send(file)).json()
    await expect(until(_id, 'checked')).rejects.toThrow(reason)
  })

  test('can be stopped, and is nobody else’s', async () => {
    const job = await checked(listOf(5))
    const { access_token } = await server.signIn('karim')
    const requested = await server.ask('deviceImport', { params: { id: job._id }, token: access_token })
    expect(requested.statusCode).toBe(404)
    await server.ask('cancelImport', { params: { id: job._id }, token })
    expect((await server.answer('deviceImport', { params: { id: job._id }, token })).state).toBe('cancelled')
    expect((await apply(job._id)).statusCode).toBe(409)
  })

  test('is taken with what its sender may do by then, not when they sent it', async () => {
    const append = async (...facts: NewFact[]) => {
      const stored = await server.store.log.append('all', facts)
      await server.readModels.settled(stored.facts.at(-1)?.seq ?? 0)
    }
    const of = { at: START, companyId: 'indus' }
    await append({
      ...of,
      type: 'company.settings-changed',
      data: { companyId: 'indus', managersAddDevices: true },
    })
    token = (await server.signIn('ayesha')).access_token
    const job = await checked(
      `${HEADING}\n${imeiOf(1)},Of all,,,,\n${imeiOf(2)},Of Punjab,,,,Punjab\n${imeiOf(3)},Of Lahore,,,,Lahore`,
    )
    expect(job.toAdd).toBe(3)
    await append({ ...of, type: 'user.updated', data: { userId: 'u1', groupId: 'lahore' } })
    token = (await server.signIn('ayesha')).access_token
    await apply(job._id)
    expect(await until(job._id, 'done')).toMatchObject({ added: 1 })
    const { directory } = server.readModels
    expect([1, 2, 3].map((n) => directory.numbers.has(imeiOf(n)))).toEqual([false, false, true])
  })

  test('makes room by the oldest of its own company, of which five are kept', async () => {
    const first = await checked(listOf(1))
    server.clock.at += 1
    const lists: DeviceImport[] = []
    for (let i = 0; i < 5; i++) lists.push(await checked(listOf(1)))
    const { statusCode } = await server.ask('deviceImport', { params: { id: first._id }, token })
    expect(statusCode).toBe(404)
    for (const { _id } of lists) expect((await until(_id, 'checked')).toAdd).toBe(1)
  })

  test('is not held in memory beside another of its company that is on its way', async () => {
    const requested = Promise.withResolvers<void>()
    const upload = new Readable({ read: () => requested.resolve() })
    const first = sendBody(upload)
    await requested.promise
    expect((await send(listOf(1))).json()).toMatchObject({
      code: 409,
      message: 'Another list of your company is on its way',
    })
    upload.push(formOf(listOf(1)))
    upload.push(null)
    await until((await first).json()._id, 'checked')
    expect((await send(listOf(1))).statusCode).toBe(202)
  })

  test('is refused to whoever may not add devices', async () => {
    const { access_token } = await server.signIn('ayesha')
    expect((await send(listOf(1), access_token)).statusCode).toBe(403)
  })
})

const FORM = {
  name: 'New',
  plateNumber: 'LES-1',
  vehicleMakeAndModel: 'Hino',
  type: 'vehicle',
  groupId: 'lahore',
}

describe('one device', () => {
  test('is added, given another tracker and retired, and its page tells all of it', async () => {
    const added = await server.answer('addDevice', { token, body: { imei: imeiOf(1), ...FORM } })
    expect(added).toMatchObject({
      imei: imeiOf(1),
      clockOffset: 0,
      groupName: 'lahore',
      retiredAt: null,
      heardAt: null,
    })
    server.clock.at += 1000
    const changed = await server.answer('changeDevice', {
      params: { imei: imeiOf(1) },
      token,
      body: { ...FORM, calibrationDue: '2027-03-31', clockOffset: 300 },
    })
    expect(changed).toMatchObject({ calibrationDue: '2027-03-31', clockOffset: 300 })
    server.clock.at += 1000
    const replaced = await server.answer('replaceTracker', {
      params: { imei: imeiOf(1) },
      token,
      body: { imei: imeiOf(2) },
    })
    expect(replaced).toMatchObject({ imei: imeiOf(2), name: 'New' })
    // links by the tracker it had lead to it
    expect((await server.answer('thing', { params: { imei: imeiOf(1) }, token })).imei).toBe(imeiOf(2))
    server.clock.at += 1000
    await server.answer('retireDevice', { params: { imei: imeiOf(1) }, token, body: { reason: 'sold' } })
    const things = await server.answer('groupThings', { params: { groupId: 'indus' }, token })
    expect(things.map(({ imei }) => imei)).not.toContain(imeiOf(2))
    const { changes } = await server.answer('thingHistory', { params: { imei: imeiOf(1) }, token })
    expect(changes.map((change) => change.changes.map(({ field }) => field))).toEqual([
      ['retired', 'reason'],
      ['imei'],
      ['calibrationDue', 'clockOffset'],
      [],
    ])
    const change = await server.ask('changeDevice', { params: { imei: imeiOf(2) }, token, body: FORM })
    expect(change.statusCode).toBe(409)
  })

  test('that knocked is taken in with one press', async () => {
    server.unknownDevices.note({ imei: imeiOf(5), door: 'teltonika', address: '10.0.0.1', companyId: null })
    server.unknownDevices.note({ imei: imeiOf(6), door: 'http', address: '10.0.0.1', companyId: 'karakoram' })
    const { devices, mayRegister } = await server.answer('unknownDevices', { token })
    expect(mayRegister).toBe(true)
    expect(devices.map(({ imei }) => imei)).toEqual([imeiOf(5)])
    const { access_token } = await server.signIn('ayesha')
    expect((await server.answer('unknownDevices', { token: access_token })).devices).toEqual([])
    const strange = await server.ask('takeInDevice', { params: { imei: imeiOf(5) }, token: access_token })
    expect(strange.statusCode).toBe(404)
    const taken = await server.answer('takeInDevice', { params: { imei: imeiOf(5) }, token })
    expect(taken).toMatchObject({ imei: imeiOf(5), name: imeiOf(5), groupId: 'indus' })
  })
})
