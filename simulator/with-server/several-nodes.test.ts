import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NOTIFICATIONS_NAMESPACE } from '#machines/contracts/sockets.ts'
import { connectLive, type LiveClient } from '../../server/api/realtime/testing/live-client.ts'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { startDemo } from '../testing/start-demo.ts'

const MINUTE = 60_000
const OPERATOR = 'operator@indus.example'
const [WARM, TWICE, OTHER] = ['352093024171000', '352093024172370', '352093024173741'] as const
const headers = { 'x-device-key': 'indus-device-key' }

type Node = Awaited<ReturnType<typeof startDemo>>

describe('two nodes over one database', () => {
  let one: Node
  let other: Node
  const links: { close(): void }[] = []
  beforeAll(async () => {
    const source = { DATABASE_URL: await emptyDatabase(), SIMULATOR: 'off' }
    ;[one, other] = (await Promise.all(
      ['one', 'other'].map((name) => startDemo({ ...source, NODE_NAME: name })),
    )) as [Node, Node]
  })
  afterAll(async () => {
    for (const link of links) link.close()
    await one.server.close()
    await other.server.close()
  })

  const portOf = ({ server }: Node): number => Number(new URL(server.address).port)
  function live(node: Node, token: string): LiveClient {
    const client = connectLive(portOf(node), token)
    links.push(client.socket)
    return client
  }
  const factsOf = ({ server }: Node, type: 'company.registered' | 'violation.opened') =>
    server.app.core.store.log.readFacts(0, { types: [type], limit: 100 })
  const sendTo = (node: Node, ...readings: { imei: string; at: number; temperature: number }[]) =>
    node.ask('ingest', { headers, body: { readings } })

  test('started at once on an empty record, register everybody once, and one leads', async () => {
    expect(factsOf(one, 'company.registered').length).toBeGreaterThan(1)
    expect(factsOf(other, 'company.registered')).toEqual(factsOf(one, 'company.registered'))
    const { directory } = one.server.app.core.readModels
    expect(factsOf(one, 'company.registered')).toHaveLength(directory.companies.size)
  })

  test('let in on one who signed in on the other, and end the session on both', async () => {
    const token = await one.signIn(OPERATOR)
    expect((await other.ask('me', { token })).userName).toBe((await one.ask('me', { token })).userName)
    const [here, there] = [live(one, token), live(other, token)]
    const socket = io(`${other.server.address}${NOTIFICATIONS_NAMESPACE}`, {
      transports: ['websocket'],
      reconnection: false,
      auth: { token },
    })
    links.push(socket)
    await new Promise<void>((resolve) => socket.on('connect', resolve))
    await Promise.all([here, there].map((client) => client.until(() => client.messages.length > 0)))
    const loggedOut = new Promise((resolve) => socket.on('logout', resolve))
    await one.ask('logout', { token })
    expect(await Promise.all([here.closed, there.closed])).toEqual(
      Array(2).fill({ code: 4401, reason: 'session ended' }),
    )
    await loggedOut
    for (const node of [one, other])
      expect((await node.send('GET', '/api/auth/me', { token })).status).toBe(401)
  })

  test('show on all screens what is measured and evaluated, whoever took it, and list it on both', async () => {
    const token = await one.signIn(OPERATOR)
    const { _id: userId } = await one.ask('me', { token })
    const now = Date.now()
    const screens = [one, other].map((node) => live(node, token))
    await Promise.all(screens.map((client) => client.until(() => client.messages.length > 0)))
    const windows = [one, other].map(
      ({ server: { address }, ask }) =>
        new NotificationWindow({
          address,
          token,
          userId,
          list: () =>
            ask('notifications', {
              params: { groupId: 'indus' },
              body: { startDate: now - 60 * MINUTE, endDate: now + MINUTE },
              token,
            }),
        }),
    )
    for (const window of windows) {
      await window.load()
      window.connect()
      links.push({ close: () => window.leave() })
    }
    for (let minute = 20; minute >= 0; minute -= 2)
      await sendTo(minute % 4 === 0 ? one : other, {
        imei: WARM,
        at: now - minute * MINUTE,
        temperature: 25,
      })
    const no = one.server.app.core.readModels.directory.numbers.get(WARM)
    const hasIncidents = (window: NotificationWindow) =>
      [...window.notifications.values()].some(({ thing }) => thing === WARM)
    await Promise.all([
      ...windows.map((window) => window.until(() => hasIncidents(window))),
      ...screens.map((client) =>
        client.until(() => client.frames.some(({ device }) => [...device].includes(no as number))),
      ),
    ])
    expect(factsOf(other, 'violation.opened')).toHaveLength(1)
  })

  test('take a reading once that is sent to both, at once or again', async () => {
    const now = Date.now()
    const again = { imei: TWICE, at: now - MINUTE, temperature: 4 }
    // its clock is ahead
    const ahead = { imei: TWICE, at: now + MINUTE, temperature: 5 }
    expect(await sendTo(one, again, ahead)).toMatchObject({ accepted: 2, duplicates: 0 })
    await other.server.app.core.store.log.caughtUp()
    expect(await sendTo(other, again, ahead)).toMatchObject({ accepted: 0, duplicates: 2 })
    const both = { imei: OTHER, at: now, temperature: 6 }
    await Promise.all([sendTo(one, both), sendTo(other, both)])
    for (const node of [one, other]) {
      const { store, readModels } = node.server.app.core
      await readModels.settled(await store.log.caughtUp())
      const stored = async (imei: string) => {
        const no = readModels.directory.numbers.get(imei) as number
        return [...(await store.telemetry.history(no, now - 2 * MINUTE, now + 2 * MINUTE)).at]
      }
      expect(await stored(TWICE)).toEqual([again.at, ahead.at])
      expect(await stored(OTHER)).toEqual([now])
    }
  })

  test('make a report that is asked for on either, tell both how it does, and hand it out on both', async () => {
    const token = await other.signIn(OPERATOR)
    const screens = [one, other].map((node) => live(node, token))
    await Promise.all(screens.map((client) => client.until(() => client.messages.length > 0)))
    const now = Date.now()
    const files = []
    for (const node of [one, other]) {
      const { _id } = await node.ask('requestTemperatureReport', {
        params: { groupId: 'indus', companyId: 'indus' },
        token,
        body: { things: [WARM], groups: [], startDate: now - 60 * MINUTE, endDate: now },
      })
      for (const [i, client] of screens.entries()) {
        const { ask } = [one, other][i] as Node
        const isDone = async () =>
          (await ask('reportLog', { params: { companyId: 'indus' }, token })).find((each) => each._id === _id)
            ?.isCompleted === true
        for (let heard = 0; !(await isDone()); heard = client.messages.length)
          await client.until(() => client.messages.length > heard)
        const isTold = expect.objectContaining({ type: 'changed', subject: 'reports', ids: [_id] })
        await vi.waitFor(() => expect(client.messages).toContainEqual(isTold))
      }
      for (const { ask, server } of [one, other]) {
        const log = await ask('reportLog', { params: { companyId: 'indus' }, token })
        const answer = await fetch(`${server.address}${log.find((each) => each._id === _id)?.url}`)
        expect(answer.status).toBe(200)
        files.push(Buffer.from(await answer.arrayBuffer()))
      }
    }
    expect(files[0]?.length).toBeGreaterThan(1000)
    expect(files[1]?.equals(files[0] as Buffer)).toBe(true)
    expect(files[3]?.equals(files[2] as Buffer)).toBe(true)
  })

  test('give a name once that is asked for on both at once', async () => {
    const token = await one.signIn(OPERATOR)
    const create = (node: Node, i: number) =>
      node.send('POST', '/api/users', {
        token,
        body: {
          ...{ firstName: 'Amna', lastName: 'Malik', userName: 'amna', email: `amna${i}@indus.example` },
          ...{ phone: '03001234567', groupId: 'indus' },
        },
      })
    const answers = await Promise.all([one, other, one, other].map(create))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
  })

  test('count wrong passwords together', async () => {
    const guess = (node: Node) =>
      node.send('POST', '/api/auth/login', { body: { username: 'lahore@indus.example', password: 'no' } })
    const statuses = []
    for (const node of [one, other, one, other, one]) statuses.push((await guess(node)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    // what is told is heard a moment later
    while ((await guess(other)).status !== 429);
    let more = 0
    while ((await guess(one)).status !== 429) more++
    // by itself it would have taken two more
    expect(more).toBeLessThan(2)
  })
})
