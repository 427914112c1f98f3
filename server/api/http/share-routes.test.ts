import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** In `punjab`, where danish sits. */
const IMEI = '350000000000001'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer()
  token = (await server.signIn('danish')).access_token
  // an hour of readings before, in and after what is shared, of two devices
  for (const device of [1, 2])
    await server.read(
      ...Array.from({ length: 18 }, (_, i) => ({
        device,
        at: START - 3 * HOUR + i * 10 * MINUTE,
        temperature: device * 10 + i / 10,
      })),
    )
})
afterEach(() => server.close())

const SPAN = { startDate: START - 2 * HOUR, endDate: START - HOUR }
const make = (more: object = {}) =>
  server.answer('makeShare', { params: { imei: IMEI }, body: { ...SPAN, ...more }, token })
const tokenOf = ({ path }: { path: string }): string => path.split('/').at(-1) ?? ''
const look = (shared: string) => server.ask('shared', { params: { token: shared } })
async function happened(...facts: NewFact[]): Promise<void> {
  const { facts: stored } = await server.store.log.append('structure', facts)
  await server.readModels.settled(stored.at(-1)?.seq ?? 0)
}
const changed = (type: string, data: object): NewFact =>
  ({ type, at: START, companyId: 'indus', data }) as unknown as NewFact

describe('a link to a device', () => {
  test('shows that device in that span and nothing else, to whoever holds it', async () => {
    const share = await make()
    expect(Date.parse(share.expiresAt)).toBe(START + 7 * DAY)
    const answer = await server.answer('shared', { params: { token: tokenOf(share) } })
    const times = answer.history.points.map(({ dateTime }) => Date.parse(dateTime))
    expect([Math.min(...times), Math.max(...times), times.length]).toEqual([SPAN.startDate, SPAN.endDate, 7])
    expect(answer.history.latest).toEqual(answer.history.points.at(-1))
    expect(answer.history.points.every(({ temperature }) => (temperature ?? 0) < 20)).toBe(true)
    expect(Object.keys(answer).sort()).toEqual(
      [
        ...['company', 'expiresAt', 'from', 'history', 'madeAt', 'name', 'plateNumber'],
        ...['timeZone', 'to'],
      ].sort(),
    )
    expect(JSON.stringify(answer)).not.toMatch(/danish|punjab|lahore|35000000000000/i)
  })

  test('is kept by nobody on the way and found by no search', async () => {
    const { headers } = await look(tokenOf(await make()))
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
  })

  test('stands in the record as a hash alone', async () => {
    const shared = tokenOf(await make())
    const facts: Fact[] = server.store.log.readFacts(0, { limit: 1000 })
    expect(facts.at(-1)).toMatchObject({ type: 'share.made', by: 'u2' })
    expect(JSON.stringify(facts)).not.toContain(shared)
  })

  test('made by a request that is sent again is the same link', async () => {
    const headers = { 'idempotency-key': '"5f0c3a52-6a52-4a8e-9a51-000000000001"' }
    const request = { params: { imei: IMEI }, body: SPAN, token, headers }
    const first = await server.answer('makeShare', request)
    expect(await server.answer('makeShare', request)).toEqual(first)
  })

  test('opens nothing but what it was made for: its token opens no other call', async () => {
    const shared = tokenOf(await make())
    for (const headers of [{ authorization: `Bearer ${shared}` }, { 'x-device-key': shared }]) {
      const query = { data: SPAN }
      const response = await server.ask('observations', { params: { imei: IMEI }, query, headers })
      expect(response.statusCode).toBe(401)
    }
    const longer = await server.app.inject(
      `/api/shared/${shared}?data=${JSON.stringify({ startDate: 0, endDate: START })}`,
    )
    expect(longer.statusCode).toBe(400)
  })

  test('that is guessed, cut off or of another id leads nowhere', async () => {
    const shared = tokenOf(await make())
    const { access, readModels } = server
    const [shareId = ''] = readModels.directory.shares.byId.keys()
    const last = shared.at(-1) === 'A' ? 'E' : 'A'
    const guesses = ['A'.repeat(43), shared.slice(0, -1), `${shared.slice(0, -1)}${last}`, shareId]
    for (const guess of [...guesses, access.shareLinks.tokenOf('sh-other')])
      expect((await look(guess)).statusCode).toBe(404)
  })

  test('runs out to the millisecond', async () => {
    const shared = tokenOf(await make({ days: 1 }))
    server.clock.at = START + DAY - 1
    expect((await look(shared)).statusCode).toBe(200)
    server.clock.at = START + DAY
    expect((await look(shared)).statusCode).toBe(404)
  })

  test('is ended by whoever made it, from then on, and is listed until then', async () => {
    const share = await make()
    const params = { imei: IMEI }
    expect(await server.answer('shares', { params, token })).toEqual([share])
    expect(await server.answer('revokeShare', { params: { ...params, shareId: share._id }, token })).toEqual(
      [],
    )
    expect((await look(tokenOf(share))).statusCode).toBe(404)
    expect(await server.answer('shares', { params, token })).toEqual([])
  })

  test.each<[string, NewFact]>([
    ['is moved away from the device', changed('user.updated', { userId: 'u2', groupId: 'sindh' })],
    ['is deleted', changed('user.deleted', { userId: 'u2' })],
    ['is of a company that is suspended', changed('company.suspended', { companyId: 'indus' })],
    ['loses the device', changed('device.updated', { imei: IMEI, groupId: 'sindh' })],
  ])('is dead when who made it %s', async (_, fact) => {
    const shared = tokenOf(await make())
    expect((await look(shared)).statusCode).toBe(200)
    await happened(fact)
    expect((await look(shared)).statusCode).toBe(404)
  })

  test('is looked at so often a minute from one address', async () => {
    const shared = tokenOf(await make())
    const codes = new Set<number>()
    for (let n = 0; n < 61; n++) codes.add((await look(shared)).statusCode)
    expect([...codes]).toEqual([200, 429])
  })
})
