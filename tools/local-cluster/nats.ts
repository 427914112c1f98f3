import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../build/running-app.ts'
import { type ManagedProcess, manageProcess } from './managed-process.ts'
import { ensureNats } from './packages.ts'

const PATIENCE_MS = 300_000

export type NatsServer = ManagedProcess & { name: string; url: string; port: number }

/** Servers of NATS that know each other, on the loopback address. */
export type NatsServers = {
  /** for `NATS_URL`: all of them, comma-separated */
  url: string
  servers: readonly NatsServer[]
  /** the one that leads the others, as they agreed on; there is none among fewer than three, or without a majority */
  leader(): Promise<NatsServer | undefined>
  /** starts one again that is gone, on its port; answers the new one */
  restart(server: NatsServer): Promise<NatsServer>
  stop(): Promise<void>
}

type Ports = { client: number; route: number; look: number }

/**
 * Starts so many servers, one cluster, installed where there is none.
 * @throws Error where none can be had, or they do not find each other
 */
export async function startNats(count = 1): Promise<NatsServers> {
  const program = ensureNats()
  const folder = mkdtempSync(join(tmpdir(), 'frostline-nats-'))
  const ports: Ports[] = []
  for (let i = 0; i < count; i++)
    ports.push({ client: await freePort(), route: await freePort(), look: await freePort() })
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(',')

  const servers: NatsServer[] = []
  const start = async ({ client, route, look }: Ports, i: number): Promise<NatsServer> => {
    const name = `nats-${i + 1}`
    const words = ['-n', name, '-a', '127.0.0.1', '-p', `${client}`, '-m', `${look}`]
    // they agree on a leader only where they keep something together
    const together = ['-js', '-sd', join(folder, name), '-cluster_name', 'frostline', '-routes', routes]
    const cluster = count > 1 ? [...together, '-cluster', `nats://127.0.0.1:${route}`] : []
    const server = await manageProcess(program, [...words, ...cluster], {
      folder,
      isReady: /Server is ready/,
    })
    const started = { ...server, name, url: `nats://127.0.0.1:${client}`, port: client }
    servers[i] = started
    return started
  }
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  const leader = async (): Promise<NatsServer | undefined> => {
    for (const [i, server] of servers.entries()) {
      if (server.isGone()) continue
      const name = await leaderSeenBy((ports[i] as Ports).look)
      const found = servers.find((each) => each.name === name)
      if (found !== undefined && !found.isGone()) return found
    }
    return undefined
  }
  try {
    await Promise.all(ports.map(start))
    for (const began = performance.now(); count >= 3 && (await leader()) === undefined; await pause(50))
      if (performance.now() - began > PATIENCE_MS) throw new Error('the servers of NATS agree on no leader')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: servers.map(({ url }) => url).join(','),
    servers,
    leader,
    async restart(server) {
      const i = servers.indexOf(server)
      await server.kill()
      return start(ports[i] as Ports, i)
    },
    stop,
  }
}

async function leaderSeenBy(port: number): Promise<string | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/jsz`).catch(() => undefined)
  if (answer?.status !== 200) return undefined
  const { meta_cluster: cluster } = (await answer.json()) as { meta_cluster?: { leader?: string } }
  return cluster?.leader
}
