import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import type { LiveMessage } from '#machines/contracts/live-messages.ts'
import { connectLive } from '../../server/api/realtime/testing/live-client.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { startServerProcess } from '../../server/testing/server-process.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
const MINUTE = 60_000
const OPERATOR = 'operator@indus.example'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function open(source: Record<string, string> = {}): Promise<Open> {
  const opened = await startDemo(source)
  closing.push(() => opened.server.close())
  return opened
}

/** A device that reads a temperature now, and its group. */
async function someDevice({ ask }: Open, token: string) {
  const { data } = await ask('observationsLatest', { params: { groupId: 'indus' }, token })
  const found = data.find(
    ({ thingStatus, temperature, groupId }) =>
      thingStatus === 'online' && temperature !== null && groupId !== 'indus',
  )
  if (found?.groupId == null) throw new Error('nothing is online')
  return { imei: found.imei, groupId: found.groupId, temperature: found.temperature as number }
}

async function violationsOf({ server }: Open, imei: string, after: number) {
  await server.app.core.settled()
  return server.app.core.store.log
    .readFacts(after, { types: ['violation.opened', 'violation.cleared'] })
    .filter((fact) => 'imei' in fact.data && fact.data.imei === imei)
}

async function advance({ sim }: Open, minutes: number) {
  const { now } = await sim.status()
  await sim.advanceTo(now + minutes * MINUTE)
}

const reads = (opened: Open, imei: string, at: number, temperature: number) =>
  opened.ask('ingest', {
    headers: { 'x-device-key': 'indus-device-key' },
    body: { readings: [{ imei, at, temperature, lat: 31.5, lng: 74.2 }] },
  })

describe('thresholds that somebody changes', () => {
  test('hold for the readings from then on: in violations, in what charts ask for, and for who moves in', async () => {
    const opened = await open()
    const { ask, sim, server } = opened
    const token = await opened.signIn(OPERATOR)
    const home = await ask('createGroup', {
      token,
      body: { ...form('Cold room'), parentId: 'indus', companyId: 'indus', things: [] },
    })
    const { imei } = await someDevice(opened, token)
    const group = await ask('group', { params: { id: home._id }, token })
    await ask('updateGroup', {
      params: { id: home._id },
      token,
      body: {
        ...form('Cold room'),
        lowTemperatureThreshold: -28,
        highTemperatureThreshold: -27,
        things: [imei],
      },
      headers: { 'if-match': `"${group.version}"` },
    })
    const since = server.app.core.store.log.head()

    const { thresholds } = await ask('observations', {
      params: { imei },
      token,
      query: { data: { startDate: (await sim.status()).now - MINUTE, endDate: (await sim.status()).now } },
    })
    expect(thresholds).toMatchObject({ lowTemperatureThreshold: -28, highTemperatureThreshold: -27 })

    await advance(opened, 20)
    const [opening] = await violationsOf(opened, imei, since)
    expect(opening).toMatchObject({
      type: 'violation.opened',
      data: { type: 'HIGH_TEMPERATURE_DETECTED', threshold: -27 },
    })

    await ask('renameGroup', {
      params: { id: home._id },
      token,
      body: { highTemperatureThreshold: 69 },
    })
    const { now } = await sim.status()
    await reads(opened, imei, now, 3)
    const all = await violationsOf(opened, imei, since)
    expect(all.at(-1)).toMatchObject({ type: 'violation.cleared', data: { reason: 'threshold-changed' } })
  })
})

describe('a group that somebody deletes', () => {
  test('leaves everything to the group above, and its devices are evaluated by the limits there', async () => {
    const opened = await open()
    const { ask, server } = opened
    const token = await opened.signIn(OPERATOR)
    const { imei } = await someDevice(opened, token)
    const make = (name: string, parentId: string, things: string[], high: number) =>
      ask('createGroup', {
        token,
        body: {
          ...form(name),
          lowTemperatureThreshold: -30,
          highTemperatureThreshold: high,
          parentId,
          companyId: 'indus',
          things,
        },
      })
    const upper = await make('Upper', 'indus', [], -29)
    const lower = await make('Lower', upper._id, [imei], 69)
    await advance(opened, 20)
    const since = server.app.core.store.log.head()
    expect(await ask('deleteGroup', { params: { id: lower._id }, token })).toEqual({
      message: 'Group deleted Successfully',
      to: { _id: upper._id, name: 'Upper' },
      moved: { devices: 1, users: 0, groups: 0 },
    })
    expect((await ask('thing', { params: { imei }, token })).groupId).toBe(upper._id)
    expect(await ask('group', { params: { id: upper._id }, token })).toMatchObject({
      totalVehicles: 1,
      things: [imei],
    })
    await advance(opened, 20)
    const [opening] = await violationsOf(opened, imei, since)
    expect(opening).toMatchObject({ type: 'violation.opened', data: { threshold: -29 } })
  })
})

test('what one changes is told to the other’s open screen at once, and to nobody of another company', async () => {
  const opened = await open()
  const { ask, server } = opened
  const [token, karakoram] = [
    await opened.signIn(OPERATOR),
    await opened.signIn('operator@karakoram.example'),
  ]
  const port = Number(new URL(server.address).port)
  const [mine, theirs] = [connectLive(port, token), connectLive(port, karakoram)]
  closing.push(async () => {
    mine.socket.terminate()
    theirs.socket.terminate()
  })
  const isIn = ({ messages }: { messages: LiveMessage[] }) => messages.some(({ type }) => type === 'welcome')
  await Promise.all([mine.until(() => isIn(mine)), theirs.until(() => isIn(theirs))])
  const made = await ask('createUser', {
    token,
    body: {
      firstName: 'Omar',
      lastName: 'Shah',
      email: 'omar@indus.example',
      phone: '03001234567',
      groupId: 'indus-lahore',
    },
  })
  const changes = () => mine.messages.filter(({ type }) => type === 'changed')
  await mine.until(() => changes().length === 2)
  expect(changes()).toMatchObject([
    { subject: 'users', ids: [made.user?._id] },
    { subject: 'groups', ids: ['indus-lahore', 'indus-punjab', 'indus'] },
  ])
  expect(theirs.messages.filter(({ type }) => type === 'changed')).toEqual([])
})

test('a picture and a group that were answered are there after a power cut, at the same address', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-picture-'))
  closing.push(() => rm(dir, { recursive: true }))
  const env = { DATA_DIR: dir }
  const first = await startServerProcess(env)
  const caller = callerOf(first.address)
  const token = await caller.signIn(OPERATOR)
  const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a7' } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.set('file', new Blob([new Uint8Array(png)]), 'logo.png')
  const put = await fetch(`${first.address}/api/groups/indus/image`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body,
  })
  const { image } = (await put.json()) as { image: string }
  const shown = await (await fetch(`${first.address}${image}`)).bytes()
  const made = await caller.ask('createGroup', {
    token,
    body: { ...form('Multan'), parentId: 'indus', companyId: 'indus', things: [] },
  })
  first.process.kill('SIGKILL')
  await first.ended

  const second = await startServerProcess(env)
  closing.push(async () => {
    second.process.kill('SIGKILL')
    await second.ended
  })
  const again = callerOf(second.address)
  const group = await again.ask('group', { params: { id: 'indus' }, token })
  expect(group.image).toBe(image)
  expect(group.child.map(({ _id }) => _id)).toContain(made._id)
  const response = await fetch(`${second.address}${image}`)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect(await response.bytes()).toEqual(shown)
})

function form(name: string) {
  return {
    name,
    description: '',
    lowTemperatureThreshold: 0,
    highTemperatureThreshold: 0,
    lowHumidityThreshold: 0,
    highHumidityThreshold: 0,
  }
}
