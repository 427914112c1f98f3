import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { seqOf } from '#machines/notification-feed/entries.ts'
import { groupsWithin } from '#machines/projections/directory.ts'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { sensorUnplugged, user } from '../../server/testing/facts.ts'
import { freePort } from '../../tools/build/running-app.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
const WINDOWS = 50
const CUTS = 20
const ROUNDS = 10
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FAULTS = ['compressor-off', 'compressor-off', 'door-open', 'sensor-unplugged', 'device-unplugged']

const closing: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Always the same numbers from 0 up to 1, without a pattern. */
function dice(): () => number {
  let state = 20_261_121
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const one = <T>(all: readonly T[], roll: () => number): T => all[Math.floor(roll() * all.length)] as T

test(`${WINDOWS} windows whose links are cut ${CUTS} times each end with the list of the server, over a restart too`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'windows-'))
  closing.push(() => rm(dir, { recursive: true, force: true }))
  const [random, chance] = [dice(), dice()]
  let open: Open = await startDemo({ DATA_DIR: dir, PORT: `${await freePort()}` })
  const address = open.server.address
  closing.push(() => open.server.close())
  const core = () => open.server.app.core
  const settled = () => core().settled()
  const from = (await open.sim.status()).now

  const people = await settle(open, from)
  const windows = people.map(({ userId, groupId, token }) => {
    const window: NotificationWindow = new NotificationWindow({
      address,
      token,
      userId,
      list: () => listOf(groupId, token),
      isCut: () => window.cuts < CUTS && chance() < 0.2,
    })
    closing.push(async () => window.leave())
    return window
  })
  const listOf = (groupId: string, token: string) =>
    open.ask('notifications', {
      params: { groupId },
      token,
      body: { startDate: from, endDate: from + DAY, limit: 500 },
    })
  await Promise.all(windows.map((window) => window.load()))
  for (const window of windows) window.connect()

  const devices = core().readModels.directory.devices.filter(({ companyId }) => companyId !== 'thar')
  const imeis = devices.map(({ imei }) => imei)
  const simulated = devices.filter(({ source }) => source === 'world')
  let done = { comments: 0, acknowledged: 0 }
  const cutSome = () => {
    for (const window of windows) if (window.cuts < CUTS && chance() < 0.5) window.cut()
  }
  for (let round = 0; round < ROUNDS; round++) {
    if (round === ROUNDS / 2) open = await startedAgain(open, dir, windows)
    const { now } = await open.sim.status()
    for (const device of [1, 2, 3].map(() => one(simulated, random)))
      await open.sim.inject(device.imei, one(FAULTS, random), 1800 + random() * 3600)
    const passing = open.sim.advanceTo(now + 10 * MINUTE)
    cutSome()
    await passing
    done = await care(open, people, windows, chance, done)
    cutSome()
  }
  for (const window of windows) while (window.cuts < CUTS) window.cut()

  // the last thing that happens to every device: who has heard it has heard all before
  const { now } = await open.sim.status()
  await core().store.log.append('judge', lastFacts(open, imeis, now))
  await settled()
  for (const [i, { groupId, token }] of people.entries()) {
    const window = windows[i] as NotificationWindow
    const { notifications } = await listOf(groupId, token)
    const last = Math.max(...notifications.map(seqOf))
    await window.until(() => window.after >= last)
    const byId = Object.fromEntries(notifications.map((each) => [each._id, each]))
    expect(Object.fromEntries(window.notifications), groupId).toEqual(byId)
    expect([window.cuts, window.twice, window.gaps, window.startedOver]).toEqual([CUTS, 0, 0, 0])
    window.see()
    await window.until(() => window.unread === 0)
  }

  // what was compared was worth it
  const whole = await listOf('indus', people.find(({ groupId }) => groupId === 'indus')?.token ?? '')
  expect(whole.unread).toBe(0)
  expect(whole.notifications.filter(({ clearedAt }) => clearedAt !== null).length).toBeGreaterThan(0)
  expect(done.comments).toBeGreaterThan(10)
  expect(done.acknowledged).toBeGreaterThan(5)
})

/** As many people as there are windows, signed in at groups that have devices and those above them, of two companies. */
async function settle({ server }: Open, at: number) {
  const { store, readModels, access } = server.app.core
  const { directory } = readModels
  const inhabited = [...directory.groups.values()].filter(
    ({ _id, companyId }) =>
      companyId !== 'thar' && groupsWithin(directory, _id).some(({ devices }) => devices.size > 0),
  )
  const people = Array.from({ length: WINDOWS }, (_, i) => {
    const group = inhabited[i % inhabited.length] as (typeof inhabited)[number]
    return { userId: `w-${i}`, sessionId: `s-${i}`, groupId: group._id, companyId: group.companyId }
  })
  const facts = people.flatMap(({ userId, sessionId, groupId, companyId }): NewFact[] => [
    user(userId, companyId, groupId, userId),
    {
      type: 'user.signed-in',
      at,
      companyId,
      data: { userId, sessionId, refreshHash: 'none', expiresAt: at + DAY },
    },
  ])
  await store.log.append('people', facts)
  await readModels.settled(store.log.head())
  return Promise.all(
    people.map(async ({ userId, sessionId, groupId, companyId }) => {
      const claims = { sub: userId, companyId, groupId, sid: sessionId, scope: 'full' as const }
      return { userId, groupId, token: await access.tokens.sign(claims, DAY / 1000) }
    }),
  )
}

/** Some comment on what they have on screen, others take care of it. */
async function care(
  { send }: Open,
  people: readonly { token: string }[],
  windows: readonly NotificationWindow[],
  chance: () => number,
  done: { comments: number; acknowledged: number },
) {
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => {
      const isComment = i % 2 === 0
      const shown = windows.flatMap(({ notifications }, no) =>
        [...notifications.values()]
          .filter(({ violationId, acknowledged }) => isComment || (violationId !== null && !acknowledged))
          .map(({ _id }) => ({ _id, token: people[no]?.token ?? '' })),
      )
      if (shown.length === 0) return undefined
      const { _id, token } = one(shown, chance)
      const [call, body] = isComment ? ['comments', { comment: `No ${i}` }] : ['acknowledge', {}]
      const { status } = await send('POST', `/api/users/notifications/${_id}/${call}`, { token, body })
      expect([200, 201, 409]).toContain(status)
      return { call, isDone: status < 300 }
    }),
  )
  const count = (name: string) => answers.filter((each) => each?.call === name && each.isDone).length
  return {
    comments: done.comments + count('comments'),
    acknowledged: done.acknowledged + count('acknowledge'),
  }
}

/** The server stops, and starts again with what is on disk; things happen before the first window is back. */
async function startedAgain(
  before: Open,
  dir: string,
  windows: readonly NotificationWindow[],
): Promise<Open> {
  const { port } = new URL(before.server.address)
  await before.server.close()
  const again = await startDemo({ DATA_DIR: dir, PORT: port })
  const { now } = await again.sim.status()
  await again.sim.advanceTo(now + 5 * MINUTE)
  for (const window of windows) {
    window.leave()
    window.connect()
  }
  return again
}

function lastFacts({ server }: Open, imeis: readonly string[], at: number): NewFact[] {
  const { directory } = server.app.core.readModels
  return imeis.map((imei) => {
    const { companyId, no } = directory.devices[directory.numbers.get(imei) ?? -1] ?? {}
    const fact = sensorUnplugged(imei, at, companyId ?? '')
    return { ...fact, data: { imei, lat: 31, lng: 74 + (no ?? 0) / 1000 } } as NewFact
  })
}
