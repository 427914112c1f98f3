import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { company, device, group, user, violationOpened } from '../../testing/facts.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const imeiOf = (no: number) => `35000000000000${no}`
/** Devices 0 and 1 are in `indus` and `punjab`, 3 in `sindh`. */
const [TOP, PUNJAB, SINDH] = [0, 1, 3] as const

let server: TestServer
/** the beginning of the slot after the record began */
let begin: number
beforeEach(async () => {
  server = await buildTestServer({ env: { ACCESS_TTL: '9999999' } })
  begin = server.clock.at - (server.clock.at % (10 * MINUTE)) + 10 * MINUTE
})
afterEach(() => server.close())

const tokenOf = async (userName: string) => (await server.signIn(userName)).access_token
async function append(...facts: NewFact[]): Promise<string[]> {
  const { facts: stored } = await server.store.log.append('told', facts)
  await server.readModels.settled(server.store.log.head())
  return stored.map(({ id }) => id)
}
/** @param minute after `begin` */
const opened = (no: number, minute: number): NewFact =>
  violationOpened(imeiOf(no), begin + minute * MINUTE, {}, 'indus')
const health = (token: string, groupId = 'indus', days = 7) =>
  server.answer('alarmHealth', { params: { groupId }, query: { days }, token })

test('a flood in slots of ten minutes, the devices it came of, and whom it was told', async () => {
  const token = await tokenOf('ayesha')
  // slots 0, 3, 12, 15, 7, 4, 1, of three devices: the first tells of most
  const slots = [0, 3, 12, 15, 7, 4, 1]
  const facts = slots.flatMap((alarms, slot) =>
    Array.from({ length: alarms }, (_, i) =>
      opened([TOP, TOP, PUNJAB, SINDH][i % 4] ?? TOP, slot * 10 + i * 0.5),
    ),
  )
  await append(...facts)
  server.clock.at = begin + 70 * MINUTE + 1
  const answer = await health(token)
  // the record began in the slot before
  expect(answer).toMatchObject({
    from: new Date(begin - 10 * MINUTE).toISOString(),
    to: new Date(begin + 70 * MINUTE).toISOString(),
    told: 42,
    peak: 15,
    floods: 1,
    floodShare: 3 / 8,
    mean: 42 / 8,
    floodList: [
      {
        from: new Date(begin + 20 * MINUTE).toISOString(),
        to: new Date(begin + 50 * MINUTE).toISOString(),
        alarms: 34,
        peak: 15,
      },
    ],
    worstShare: 1,
    acknowledged: 0,
    medianToAcknowledgeSeconds: null,
  })
  expect(answer.worst.map(({ imei }) => imei)[0]).toBe(imeiOf(TOP))
  expect(answer.worst.reduce((sum, { alarms }) => sum + alarms, 0)).toBe(42)
  expect(answer.chatter[0]).toMatchObject({ imei: imeiOf(TOP), type: 'HIGH_TEMPERATURE_DETECTED' })
  expect(answer.weeks).toHaveLength(1)
  const ofPunjab = facts.filter(({ data }) => 'imei' in data && data.imei === imeiOf(PUNJAB)).length
  const countOf = new Map(answer.people.map(({ groupId, told }) => [groupId, told]))
  expect(countOf.get('indus')).toBe(42)
  expect(countOf.get('punjab') ?? countOf.get('lahore')).toBeLessThanOrEqual(ofPunjab)
  expect((await health(token, 'punjab')).told).toBe(ofPunjab)
  expect((await health(token, 'sindh')).worst.map(({ imei }) => imei)).toEqual([imeiOf(SINDH)])
})

test('half of those acknowledged were after so long; what is shelved and what repeats is told to nobody', async () => {
  const token = await tokenOf('ayesha')
  server.clock.at = begin
  const ids = await append(opened(TOP, 0), opened(PUNJAB, 0), opened(SINDH, 0))
  for (const [minutes, id] of [
    [4, ids[0]],
    [6, ids[1]],
  ] as const) {
    // biome-ignore format: one line
    server.clock.at = begin + minutes * MINUTE
    await server.ask('acknowledge', { params: { id: id as string }, body: { comment: 'Seen' }, token })
  }
  await server.ask('shelve', {
    params: { imei: imeiOf(SINDH), type: 'HIGH_TEMPERATURE_DETECTED' },
    body: { minutes: 60, reason: 'Defrost' },
    token,
  })
  await append(opened(SINDH, 20), opened(SINDH, 30))
  server.clock.at = begin + 40 * MINUTE
  expect(await health(token)).toMatchObject({
    told: 3,
    acknowledged: 2,
    medianToAcknowledgeSeconds: 5 * 60,
    shelvedCount: 1,
    shelved: [{ imei: imeiOf(SINDH), groupId: 'sindh', reason: 'Defrost' }],
  })
  server.clock.at = begin + 2 * 60 * MINUTE
  await append(opened(SINDH, 119))
  expect(await health(token)).toMatchObject({ told: 4, shelvedCount: 0, staleCount: 0 })
  server.clock.at = begin + 2 * DAY
  const later = await health(token)
  expect(later.staleCount).toBe(6)
  expect(new Set(later.stale.map(({ imei }) => imei))).toEqual(new Set([TOP, PUNJAB, SINDH].map(imeiOf)))
})

test('what was before a company was there is not counted as time in which nothing was told to it', async () => {
  const since = begin + 2 * DAY
  const imei = imeiOf(8)
  const [ofAyesha] = server.store.log.readFacts(0, { types: ['user.password-set'], limit: 1 })
  if (ofAyesha?.type !== 'user.password-set') throw new TypeError('nobody has a password')
  server.clock.at = since
  await append(
    { ...company('gilgit'), at: since },
    group('gilgit-top', 'gilgit', null),
    user('u9', 'gilgit', 'gilgit-top', 'nadia'),
    { ...ofAyesha, companyId: 'gilgit', data: { ...ofAyesha.data, userId: 'u9' } },
    device(9, imei, 'gilgit', 'gilgit-top'),
  )
  await append(violationOpened(imei, since, {}, 'gilgit'))
  server.clock.at = since + 60 * MINUTE
  expect(await health(await tokenOf('nadia'), 'gilgit-top')).toMatchObject({
    ...{ from: new Date(since).toISOString(), told: 1, mean: 1 / 6 },
    weeks: [{ from: new Date(since).toISOString(), told: 1 }],
  })
})

test('a record that has just begun has nothing to count, and no share of it', async () => {
  const answer = await health(await tokenOf('ayesha'))
  expect(answer).toMatchObject({ told: 0, mean: 0, floodShare: 0, worst: [], worstShare: 0, weeks: [] })
})
