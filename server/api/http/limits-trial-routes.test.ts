import { afterEach, expect, test } from 'vitest'
import type { TrialDevice } from '#machines/contracts/entities/limits-trials.ts'
import type { KeptTrial } from '../../jobs/trials/trials.ts'
import { trialFileName } from '../../store/report-files.ts'
import { device } from '../../testing/facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

let server: TestServer
afterEach(() => server.close())

const imei = (no: number) => `35000000000000${no}`
const TRIAL = 't-9999999999999'
const CANDIDATE = { low: 2, high: 8, delaySeconds: 60, margin: 0.5 }

/** What is kept of limits that were tried on these devices. */
function keptTrial(groupId: string, devices: readonly string[]): Uint8Array {
  const [from, to] = [new Date(START - 3_600_000).toISOString(), new Date(START).toISOString()]
  const figures = { episodes: 0, devices: devices.length, minutesOut: 0, told: 0, atNight: 0, floods: 0 }
  const kept: KeptTrial = {
    companyId: 'indus',
    trial: {
      ...{ _id: TRIAL, groupId, quantity: 'temperature', from, to, startedAt: to, userName: '' },
      ...{ candidates: [CANDIDATE], inForce: CANDIDATE, state: 'done', reason: null, done: 1, of: 1 },
    },
    result: {
      ...{ readings: 0, seconds: 0, inForce: figures },
      candidates: [{ ...figures, missed: 0, missedSerious: 0, added: 0, medianLeadMinutes: null }],
      devices: devices.map(
        (one): TrialDevice => ({ imei: one, name: one, lows: [], highs: [], episodes: [[], []], missed: 0 }),
      ),
    },
  }
  return new TextEncoder().encode(JSON.stringify(kept))
}

test('limits that are tried are answered the same once more where the answer was lost', async () => {
  server = await buildTestServer()
  const token = (await server.signIn('ayesha')).access_token
  const [from, to] = [new Date(START - 3_600_000).toISOString(), new Date(START).toISOString()]
  const ask = () =>
    server.ask('tryLimits', {
      ...{ token, params: { groupId: 'punjab' } },
      body: { quantity: 'temperature', candidates: [CANDIDATE], startDate: from, endDate: to },
      headers: { 'idempotency-key': '6f1f2b1e-0c7a-4a5e-9b39-1f2f3c4d5e6f' },
    })
  const [first, again] = [await ask(), await ask()]
  expect([first, again].map(({ statusCode }) => statusCode)).toEqual([201, 201])
  expect([again.headers['idempotency-replayed'], again.json()._id]).toEqual(['true', first.json()._id])
})

test('what came of limits shows no device that was moved beyond the visitor’s groups since', async () => {
  const files = new Map([[trialFileName('indus', TRIAL), keptTrial('punjab', [imei(1), imei(2)])]])
  server = await buildTestServer({ reportFile: async (name) => files.get(name) })
  const { readModels, store } = server
  const shown = async (userName: string) => {
    const token = (await server.signIn(userName)).access_token
    const params = { groupId: 'punjab', trialId: TRIAL }
    const { result } = await server.answer('limitsTrial', { params, token })
    return { imeis: result?.devices.map((one) => one.imei), figures: result?.inForce.devices }
  }
  expect(await shown('danish')).toEqual({ imeis: [imei(1), imei(2)], figures: 2 })
  const moved = { type: 'device.updated', at: START, companyId: 'indus' } as const
  const { facts } = await store.log.append('test', [{ ...moved, data: { imei: imei(2), groupId: 'sindh' } }])
  await readModels.settled(facts.at(-1)?.seq ?? 0)
  expect(await shown('danish')).toEqual({ imeis: [imei(1)], figures: 2 })
  expect(await shown('ayesha')).toEqual({ imeis: [imei(1), imei(2)], figures: 2 })

  // another device that they see has its IMEI since: what was tried is not of that one
  server.clock.at += 60_000
  const replaced = { no: 2, before: imei(2), after: imei(9) }
  const given = await store.log.append('test', [
    { type: 'device.tracker-replaced', at: START, companyId: 'indus', data: replaced },
    device(5, imei(2), 'indus', 'punjab'),
  ])
  await readModels.settled(given.facts.at(-1)?.seq ?? 0)
  expect(await shown('danish')).toEqual({ imeis: [imei(1)], figures: 2 })
})
