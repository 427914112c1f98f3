import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { NotificationWindow } from '../../server/api/realtime/testing/notification-window.ts'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { type NatsServers, startNats } from '../local-cluster/nats.ts'
import { startPostgres } from '../local-cluster/postgres.ts'
import type { Fault } from './fault.ts'
import { type Listener, listenTo } from './listener.ts'
import { startNotifier } from './notifier.ts'
import { PRODUCTION } from './production.ts'
import { databaseToSilence, type Silencing } from './silencing.ts'
import { lacks, listOf, OPERATOR_ID, wholeOf } from './whole-list.ts'
import { signIn } from './writers.ts'

const NODES = 3
const PER_SECOND = 10
const PHASE_SECONDS = 30
const MOST_LATENCY_MS = 5000
const PATIENCE_MS = 30_000

export const nats: Fault = {
  name: 'nats',
  what: `of three servers of NATS the leader killed, then all, then NOTIFY silenced too, at ${PER_SECOND} notifications a second written on one of ${NODES} nodes`,
  mustHold: '0 lost; still live by polling within 5 s',
  quick: 0.05,
  async run({ times, isTimed }) {
    const seconds = Math.max(2, times(PHASE_SECONDS))
    const folder = mkdtempSync(join(tmpdir(), 'frostline-nats-fault-'))
    const toEnd: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
    const windows: NotificationWindow[] = []
    const listeners: Listener[] = []
    try {
      const database = await startPostgres()
      toEnd.push(database.stop)
      const servers = await startNats(3)
      toEnd.push(servers.stop)
      const apps: RunningApp[] = []
      const silencing = await databaseToSilence(database)
      const env = { ...PRODUCTION, DATABASE_URL: silencing.url, NATS_URL: servers.url }
      await preparePeople({ dataDir: ':memory:', databaseUrl: silencing.url })
      const start = async (name: string): Promise<void> => {
        const app = await startApp({ dataDir: join(folder, name), env: { ...env, NODE_NAME: name } })
        apps.push(app)
        toEnd.push(app.kill)
      }
      await Promise.all(Array.from({ length: NODES }, (_, i) => start(`node-${i + 1}`)))
      const [writtenOn, ...others] = apps as [RunningApp, ...RunningApp[]]
      const token = await signIn(writtenOn.url)
      const list = listOf(writtenOn.url, token)
      for (const { url: address } of apps)
        windows.push(
          new NotificationWindow({ address, token, userId: OPERATOR_ID, list: () => wholeOf(list) }),
        )
      await Promise.all(windows.map((window) => window.load()))
      for (const window of windows) window.connect()
      let slowest = 0
      for (const { url } of others)
        listeners.push(listenTo(url, token, (_, after) => (slowest = Math.max(slowest, after))))

      const notifier = startNotifier(writtenOn.url, PER_SECOND)
      const lost: string[] = []
      const lines: string[] = []
      for (const [phase, begin] of phasesOf(servers, silencing)) {
        await begin()
        slowest = 0
        await pause(seconds * 1000)
        lines.push(`${phase} ${say(slowest)} ms`)
        if (isTimed && slowest === 0) lost.push(`${phase}: nothing was received on other nodes`)
        if (isTimed && slowest > MOST_LATENCY_MS)
          lost.push(`${phase}: received on other nodes after ${say(slowest)} ms`)
      }
      await notifier.stop()

      // the last of it is evaluated and told a moment after it was taken
      let whole = (await wholeOf(list)).notifications
      const lackIn = (): string[] => [
        ...windows.flatMap((window, i) => lacks(window, whole).map((lack) => `node ${i + 1}: ${lack}`)),
        ...(whole.length < notifier.sent()
          ? [`only ${whole.length} notifications came of ${notifier.sent()} readings`]
          : []),
      ]
      for (const began = performance.now(); lackIn().length > 0; await pause(200)) {
        if (performance.now() - began > PATIENCE_MS) break
        whole = (await wholeOf(list)).notifications
      }
      lost.push(...lackIn())
      for (const app of apps) await app.stop()
      return {
        tried: `${say(whole.length)} notifications on ${NODES} nodes; slowest on others: ${lines.join(', ')}`,
        lost,
      }
    } finally {
      for (const window of windows) window.leave()
      for (const listener of listeners) listener.leave()
      for (const end of toEnd.reverse()) await end()
    }
  },
}

function phasesOf(servers: NatsServers, { silence, letPublish }: Silencing): [string, () => Promise<void>][] {
  const kill = async (): Promise<void> => {
    const leader = await servers.leader()
    if (leader === undefined) throw new Error('the servers of NATS have no leader')
    await leader.kill()
  }
  return [
    ['with all of NATS', async () => {}],
    ['the leader killed', kill],
    ['all killed', async () => void (await Promise.all(servers.servers.map((server) => server.kill())))],
    ['all killed and NOTIFY silenced', silence],
    ['NOTIFY back', letPublish],
    [
      'all back',
      async () => void (await Promise.all([...servers.servers].map((server) => servers.restart(server)))),
    ],
  ]
}
