import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { startDemo } from '../testing/start-demo.ts'

type Node = Awaited<ReturnType<typeof startDemo>>

const HEADING = 'IMEI,Name,Plate,Type,Make and model,Group'
/** Taken in seconds: time enough to kill who takes them. */
const MANY = 20_000
const listOf = (first: number, count: number, ...more: string[]): string =>
  [
    HEADING,
    ...Array.from({ length: count }, (_, n) => `${490_154_203_200_000 + first + n},Reefer ${n},,,,`),
    ...more,
  ].join('\n')

let url: string
let dir: string
let one: Node
let other: Node
let token: string
beforeAll(async () => {
  url = await emptyDatabase()
  dir = mkdtempSync(join(tmpdir(), 'frostline-import-nodes-'))
  const source = { DATABASE_URL: url, SIMULATOR: 'off' }
  one = await startDemo({ ...source, NODE_NAME: 'one' })
  other = await startDemo({ ...source, NODE_NAME: 'other' })
  token = await one.signIn('admin@frostline.example')
})
afterAll(async () => {
  await one.server.close()
  await other.server.close()
  rmSync(dir, { recursive: true, force: true })
})

async function send(address: string, csv: string): Promise<DeviceImport> {
  const form = new FormData()
  form.set('file', new File([csv], 'fleet.csv'))
  const answer = await fetch(`${address}/api/device-imports?fileName=fleet.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const job = (await answer.json()) as DeviceImport
  expect([answer.status, job]).toMatchObject([202, { state: 'reading' }])
  return job
}
const requested = (node: Node, { _id }: DeviceImport) =>
  node.ask('deviceImport', { params: { id: _id }, token })
async function until(node: Node, job: DeviceImport, state: DeviceImport['state']): Promise<DeviceImport> {
  let now = await requested(node, job)
  await vi.waitUntil(
    async () => {
      now = await requested(node, job)
      return now.state === state
    },
    { interval: 20, timeout: 250_000 },
  )
  return now
}
const fleetOf = ({ server }: Node) => server.app.core.readModels.directory
async function seen(node: Node): Promise<void> {
  await node.server.app.core.store.log.caughtUp()
  await node.server.app.core.settled()
}

test('a list sent to one node is followed, looked into, taken and stopped on another', async () => {
  const job = await send(one.server.address, listOf(0, 300, 'no imei,A,,,,'))
  const params = { id: job._id }
  expect((await requested(other, job)).fileName).toBe('fleet.csv')
  expect(await until(other, job, 'checked')).toMatchObject({ lines: 301, toAdd: 300, faults: 1 })
  const faults = await other.ask('importRemarks', { params, query: { of: 'faults' }, token })
  expect(faults.remarks).toMatchObject([{ line: 302, imei: 'no imei' }])
  const taken = await other.send('POST', `/api/device-imports/${job._id}/apply`, { token, body: {} })
  expect(taken.status).toBe(409)
  expect((await other.ask('applyImport', { params, body: { only: 'good-lines' }, token })).state).toBe(
    'adding',
  )
  // a second press, on whichever node
  const again = await one.send('POST', `/api/device-imports/${job._id}/apply`, {
    token,
    body: { only: 'good-lines' },
  })
  expect(again.status).toBe(409)
  expect(await until(one, job, 'done')).toMatchObject({ added: 300 })
  await seen(one)
  expect(fleetOf(one).numbers.has('490154203200299')).toBe(true)

  // known to both, and nothing is added twice
  const same = await send(other.server.address, listOf(0, 300))
  expect(await until(one, same, 'checked')).toMatchObject({ toAdd: 0, known: 300 })
  expect((await one.ask('cancelImport', { params: { id: same._id }, token })).state).toBe('cancelled')
  expect((await requested(other, same)).state).toBe('cancelled')
})

test('what one node reads another stops, and a company has one under way on all of them', async () => {
  const long = await send(one.server.address, listOf(1_000_000, 60_000))
  const form = new FormData()
  form.set('file', new File([listOf(0, 1)], 'fleet.csv'))
  const second = await fetch(`${other.server.address}/api/device-imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(second.status).toBe(409)
  await other.ask('cancelImport', { params: { id: long._id }, token })
  expect(await until(other, long, 'cancelled')).toMatchObject({ added: 0 })
  expect((await requested(one, long)).state).toBe('cancelled')
})

test('a node that dies leaves a list that says so, and is taken to its end on another', async () => {
  const env = { DATABASE_URL: url, SIMULATOR: 'off', DATA_DIR: dir, NODE_NAME: 'dying' }
  const dying: ServerProcess = await startServerProcess(env)
  const before = fleetOf(one).devices.length
  const job = await send(dying.address, listOf(2_000_000, MANY))
  await until(one, job, 'checked')
  const applied = await fetch(`${dying.address}/api/device-imports/${job._id}/apply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(applied.status).toBe(202)
  await vi.waitUntil(() => fleetOf(one).devices.length > before, { interval: 5 })
  dying.process.kill('SIGKILL')
  await dying.ended
  expect((await requested(one, job)).state).toBe('adding')
  expect(await until(one, job, 'failed')).toMatchObject({
    canRetry: true,
    reason: 'The server ended while it was at this list. Try again: what is added already stays.',
  })
  await seen(one)
  const added = fleetOf(one).devices.length - before
  expect(added).toBeGreaterThan(0)
  expect(added).toBeLessThan(MANY)

  const params = { id: job._id }
  // each node finds out by itself that it is gone
  await until(other, job, 'failed')
  expect((await other.ask('retryImport', { params, token })).state).toBe('reading')
  expect(await until(one, job, 'checked')).toMatchObject({ known: added, toAdd: MANY - added })
  await one.ask('applyImport', { params, body: {}, token })
  expect(await until(other, job, 'done')).toMatchObject({ added: MANY - added })
  await seen(one)
  expect(fleetOf(one).devices.length - before).toBe(MANY)
})
