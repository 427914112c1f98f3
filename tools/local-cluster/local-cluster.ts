import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endsWithUs } from '../build/ends-with-us.ts'
import { freePort, type RunningApp, startApp } from '../build/running-app.ts'
import { leadIn } from './leads.ts'
import { type NatsServer, type NatsServers, startNats } from './nats.ts'
import { type PrimaryAndStandby, startPrimaryAndStandby } from './primary-and-standby.ts'

export type ClusterNode = {
  name: string
  port: number
  url: string
  app: RunningApp
  isGone(): boolean
}

/** Frostline on several nodes, with all they need, on this machine. */
export type RunningCluster = {
  databases: PrimaryAndStandby
  nats: NatsServers
  nodes: readonly ClusterNode[]
  /** the node that leads now */
  lead(): Promise<ClusterNode | undefined>
  /** starts a node or a server of NATS again that is gone; answers whether there is one of that name that is gone */
  startAgain(name: string): Promise<boolean>
  stop(): Promise<void>
}

export type ClusterOptions = {
  /** how many nodes: three where left out */
  nodes?: number
  /** where the first node listens, the others on the ports after it; free ones where left out */
  port?: number
  /** where trackers connect to the first node, likewise */
  teltonikaPort?: number
  /** further variables for all nodes */
  env?: Readonly<Record<string, string>>
  /** what happened, in a line */
  onMessage?(line: string): void
}

/**
 * Starts PostgreSQL with its standby, three servers of NATS and the nodes over them.
 * @throws Error where something does not start; nothing is left running then
 */
export async function startCluster(options: ClusterOptions = {}): Promise<RunningCluster> {
  const { onMessage = () => {}, env = {}, nodes: count = 3 } = options
  for (const first of [options.port, options.teltonikaPort])
    for (let i = 0; first !== undefined && i < count; i++) await mustBeFree(first + i)
  const folder = mkdtempSync(join(tmpdir(), 'frostline-nodes-'))
  const toStop: (() => Promise<unknown>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  const nodes: ClusterNode[] = []
  let isStopping = false
  const stop = async (): Promise<void> => {
    isStopping = true
    const running = nodes.filter((node) => !node.isGone())
    await Promise.allSettled(running.map(({ app }) => app.stop()))
    for (const each of toStop.reverse()) await each()
  }

  try {
    const [databases, nats] = await Promise.all([
      startPrimaryAndStandby({ database: 'frostline', onMessage }).then((started) => {
        toStop.push(started.stop)
        return started
      }),
      startNats(3).then((started) => {
        toStop.push(started.stop)
        return started
      }),
    ])

    const watchServer = ({ name, pid, gone }: NatsServer): void =>
      void gone.then(() => isStopping || onMessage(`${name} (pid ${pid}) is gone`))
    for (const server of nats.servers) watchServer(server)

    const startNode = async (i: number): Promise<void> => {
      const name = `node-${i + 1}`
      const port = nodes[i]?.port ?? (options.port ? options.port + i : await freePort())
      const url = `http://127.0.0.1:${port}`
      const app = await startApp({
        port,
        ...(options.teltonikaPort === undefined ? {} : { teltonikaPort: options.teltonikaPort + i }),
        dataDir: join(folder, name),
        env: { ...env, DATABASE_URL: databases.url, NATS_URL: nats.url, NODE_NAME: name, NODE_URL: url },
      })
      let isGone = false
      nodes[i] = { name, port, url, app, isGone: () => isGone }
      const letGo = endsWithUs(app.pid, 'SIGKILL', folder)
      void app.gone.then((how) => {
        isGone = true
        letGo()
        if (isStopping) return
        onMessage(`${name} (pid ${app.pid}) is gone: ${how}`)
        if (how !== 'SIGKILL') onMessage(app.printed().trimEnd())
      })
    }
    const started = await Promise.allSettled(Array.from({ length: count }, (_, i) => startNode(i)))
    for (const each of started) if (each.status === 'rejected') throw each.reason

    return {
      databases,
      nats,
      nodes,
      async lead() {
        const name = await leadIn(databases.url)
        return nodes.find((node) => node.name === name && !node.isGone())
      },
      async startAgain(name) {
        const i = nodes.findIndex((node) => node.name === name && node.isGone())
        if (i >= 0) await startNode(i)
        const server = nats.servers.find((each) => each.name === name && each.isGone())
        if (server !== undefined) watchServer(await nats.restart(server))
        return i >= 0 || server !== undefined
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Whoever has the port already would answer in the name of the node. */
async function mustBeFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening').catch(() => {
    throw new Error(`port ${port} is taken: choose others with PORT or TELTONIKA_PORT`)
  })
  server.close()
  await once(server, 'close')
}
