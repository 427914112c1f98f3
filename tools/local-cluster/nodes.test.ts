import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { leadIn } from './leads.ts'
import { withDatabase } from './test-database.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const OPERATOR = { name: 'operator@indus.example', userId: 'user-operator-indus' }
const DEVICE_KEY = { 'x-device-key': 'indus-device-key' }
const [WRITTEN, UNPLUGGED] = ['352093024171000', '352093024172370']
const READINGS_A_BATCH = 5
const PATIENCE_MS = 300_000
type Named = RunningApp & { name: string }

const SMALL = { devices: 40, env: { ACCESS_TTL: '86400' } }

test('of three nodes over one database each tells what was written on any, and when the one that leads is killed another does, with nothing lost and nothing twice', () =>
  onThreeNodes(async (apps, database) => {
    const lead = await leadOf(apps, database)
    const [one, other] = apps.filter((app) => app !== lead) as [Named, Named]
    const paused = await pause(one)

    // who signs in on one is signed in on all, and what is done on one is told on all
    const token = await callerOf(one.url).signIn(OPERATOR.name)
    const windows = apps.map((app) => windowOn(app, token, paused))
    try {
      await Promise.all(windows.map((window) => window.load()))
      for (const window of windows) window.connect()
      for (const app of apps) await makeGroup(app, apps, token)
      await unplug(other, paused)
      await Promise.all(windows.map((window) => window.until(() => hasNotice(window, 'vehicleOffline'))))
    } finally {
      for (const window of windows) window.leave()
    }

    // the world is under way and readings come in on all nodes when the one that leads is killed
    const writing = keepSending(apps, paused - DAY)
    const travelling = keepTravelling(one)
    await writing.acknowledged(300)
    await travelling.further(MINUTE)
    await lead.kill()
    const others = [one, other]
    expect(others).toContain(await leadOf(others, database))
    await travelling.further(MINUTE)
    await writing.acknowledged(300)
    await travelling.stop()
    const sent = await writing.stop()

    // it goes on where it was, and all is as if nothing had been
    // whoever leads now may have just begun to
    let end = 0
    await eventually(async () => {
      end ||= (await callerOf(one.url).sim.status()).now + 10 * MINUTE
      await callerOf(other.url).sim.advanceTo(end)
      return true
    }, 'the world goes on to its end')
    for (const { url } of others) {
      const { ask, sim } = callerOf(url)
      await eventually(async () => (await sim.status()).now === end, `${url} is where the world is`)
      const data = { startDate: paused - DAY, endDate: paused - DAY / 2 }
      const stored = async () => {
        const answer = await ask('observations', { params: { imei: WRITTEN }, query: { data }, token })
        return answer.points.map(({ dateTime }) => Date.parse(dateTime))
      }
      await eventually(async () => (await stored()).length >= sent.length, `${url} has all readings`)
      expect((await stored()).toSorted()).toEqual(sent.toSorted())
    }
    const steady = await startApp(SMALL)
    try {
      await callerOf(steady.url).sim.pause()
      const { messagesSent, hash } = await callerOf(steady.url).sim.advanceTo(end)
      expect(await callerOf(other.url).sim.status()).toMatchObject({ messagesSent, hash })
    } finally {
      await steady.kill()
    }
    for (const app of others) await app.stop()
  }))

/** @throws Error with what each printed where the work fails */
async function onThreeNodes(work: (apps: Named[], database: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frostline-three-'))
  const apps: Named[] = []
  await withDatabase(async (url) => {
    const start = async (name: string): Promise<void> => {
      const env = { ...SMALL.env, DATABASE_URL: url, NODE_NAME: name }
      apps.push({ name, ...(await startApp({ ...SMALL, dataDir: join(folder, name), env })) })
    }
    try {
      await Promise.all(['ayub', 'benazir', 'chand'].map(start))
      await work(apps, url)
    } catch (error) {
      throw new Error(apps.map((app) => app.printed()).join('\n'), { cause: error })
    } finally {
      for (const app of apps) await app.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function eventually(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const began = performance.now(); !(await isSo().catch(() => false)); await wait(50))
    if (performance.now() - began > PATIENCE_MS) throw new Error(`not after ${PATIENCE_MS / 1000} s: ${what}`)
}

async function leadOf(apps: readonly Named[], database: string): Promise<Named> {
  let found: Named | undefined
  await eventually(
    async () => {
      const name = await leadIn(database)
      found = apps.find((app) => app.name === name)
      return found !== undefined
    },
    `one of ${apps.map(({ name }) => name).join(', ')} leads`,
  )
  return found as Named
}

/** The world stands from here on; it takes a moment to begin after a node leads. */
async function pause({ url }: RunningApp): Promise<number> {
  let at = 0
  await eventually(async () => {
    at = (await callerOf(url).sim.pause()).now
    return true
  }, 'the world stands')
  return at
}

/** A portal's list of notifications on one node, of the day around an instant. */
const windowOn = ({ url: address }: RunningApp, token: string, at: number): NotificationWindow =>
  new NotificationWindow({
    address,
    token,
    userId: OPERATOR.userId,
    list: () =>
      callerOf(address).ask('notifications', {
        params: { groupId: 'indus' },
        token,
        body: { startDate: at - DAY / 2, endDate: at + DAY / 2 },
      }),
  })

const hasNotice = ({ notifications }: NotificationWindow, type: string): boolean =>
  [...notifications.values()].some((each) => each.type === type && each.thing === UNPLUGGED)

/** A group made on one node is in the tree of all. */
async function makeGroup({ url }: RunningApp, apps: readonly RunningApp[], token: string): Promise<void> {
  const name = `Made on ${new URL(url).port}`
  await callerOf(url).ask('createGroup', { token, body: { ...GROUP, name } })
  for (const each of apps)
    await eventually(async () => {
      const tree = await callerOf(each.url).ask('companyGroups', { params: { companyId: 'indus' }, token })
      return JSON.stringify(tree).includes(name)
    }, `${each.url} has the group of ${url}`)
}

async function unplug({ url }: RunningApp, at: number): Promise<void> {
  const readings = [false, true].map((Unplug, i) => ({
    imei: UNPLUGGED,
    at: at - MINUTE + i * 1000,
    lat: 31.5,
    lng: 74.3,
    temperature: 4,
    Unplug,
  }))
  await callerOf(url).ask('ingest', { headers: DEVICE_KEY, body: { readings } })
}

/** Three send readings of a device to whichever node takes them: what was not acknowledged goes to the next. */
function keepSending(apps: readonly RunningApp[], base: number) {
  const sent: number[] = []
  let isOver = false
  const send = async (first: number): Promise<void> => {
    for (let i = first; !isOver; i += 3) {
      const times = Array.from(
        { length: READINGS_A_BATCH },
        (_, k) => base + (i * READINGS_A_BATCH + k) * 1000,
      )
      const readings = times.map((at) => ({ imei: WRITTEN, at, temperature: 4 }))
      for (let turn = i; ; turn++) {
        const { url } = apps[turn % apps.length] as RunningApp
        const answer = await callerOf(url)
          .ask('ingest', { headers: DEVICE_KEY, body: { readings } })
          .catch(() => undefined)
        if (answer?.refused.length === 0) break
        if (answer !== undefined) throw new Error(`refused: ${answer.refused[0]?.reason}`)
        await wait(50)
      }
      sent.push(...times)
      await wait(20)
    }
  }
  const all = Promise.all([0, 1, 2].map(send))
  all.catch(() => {})
  return {
    async acknowledged(more: number): Promise<void> {
      const until = sent.length + more
      await Promise.race([
        all,
        eventually(async () => sent.length >= until, `${more} more readings are taken`),
      ])
    },
    async stop(): Promise<number[]> {
      isOver = true
      await all
      return sent
    },
  }
}

/** The world lives on by steps, whichever node leads; a step that was cut off is asked for again. */
function keepTravelling({ url }: RunningApp) {
  const { sim } = callerOf(url)
  let reached = 0
  let isOver = false
  const all = (async () => {
    for (; !isOver; await wait(20)) {
      const status = await sim.status().catch(() => undefined)
      if (status === undefined) continue
      reached = status.now
      await sim.advanceTo(reached + 10_000).catch(() => {})
    }
  })()
  return {
    further(by: number): Promise<void> {
      const goal = reached + by
      return eventually(async () => reached >= goal, 'the world goes on')
    },
    stop(): Promise<void> {
      isOver = true
      return all
    },
  }
}

const GROUP = {
  companyId: 'indus',
  parentId: 'indus-telematics',
  description: '',
  lowTemperatureThreshold: -26,
  highTemperatureThreshold: 17,
  lowHumidityThreshold: 30,
  highHumidityThreshold: 98,
  things: [],
}
