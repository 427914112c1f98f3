import type { FactData, FactType, NewFact } from '#machines/contracts/facts.ts'
import { startKeepingFrames } from '../../../jobs/frames/keep-frames.ts'
import { buildTestServer, type TestServer } from './test-app.ts'

const MINUTE = 60_000
/** Sessions last for days. */
const ENV = { ACCESS_TTL: '2000000' }

export type KeptServer = Awaited<ReturnType<typeof startKeptServer>>

/** A server, and who keeps its frames where it leads. */
export async function startKeptServer() {
  const server = await buildTestServer({ env: ENV })
  const keeping = keepFramesOf(server)
  return Object.assign(
    keptOf(() => server),
    {
      /** the last of them is kept */
      async passMinutes(minutes: number): Promise<void> {
        server.clock.at += minutes * MINUTE
        await keeping.look()
      },
      async stop(): Promise<void> {
        await keeping.stop()
        await server.close()
      },
    },
  )
}

/**
 * Two servers over one database, of which one keeps the frames: whatever is asked for, or happens, is of either in turn. `settle`:
 * both know all there is.
 */
export async function startKeptNodes(databaseUrl: string) {
  const env = { ...ENV, DATABASE_URL: databaseUrl }
  const first = await buildTestServer({ env })
  const nodes = [first, await buildTestServer({ env, beside: first })]
  let turn = 0
  const one = (): TestServer => nodes[turn++ % nodes.length] as TestServer
  let leader = 0
  const keepings = [keepFramesOf(first)]
  async function settle(): Promise<void> {
    for (const { store, readModels } of nodes) await readModels.settled(await store.log.caughtUp())
  }
  return Object.assign(keptOf(one), {
    settle,
    async passMinutes(minutes: number): Promise<void> {
      await settle()
      first.clock.at += minutes * MINUTE
      await keepings.at(-1)?.look()
    },
    /** the other leads from now on; who led before believes that it still does */
    async kill(): Promise<void> {
      await settle()
      leader = 1 - leader
      const dead = keepings.at(-1)
      keepings.push(keepFramesOf(nodes[leader] as TestServer))
      first.clock.at += MINUTE
      await keepings.at(-1)?.look()
      await dead?.look()
    },
    async stop(): Promise<void> {
      for (const keeping of keepings) await keeping.stop()
      for (const { close } of nodes) await close()
    },
  })
}

const keepFramesOf = ({ store, readModels, clock }: TestServer) =>
  startKeepingFrames({
    ...{ store, readModels, clock },
    retentionDays: 92,
    warn: (message) => {
      throw new Error(message)
    },
    lookMs: 1e9,
  })

/** What happens to a record by way of a server. */
function keptOf(serverNow: () => TestServer) {
  const tokens = new Map<string, string>()
  async function store(...facts: NewFact[]): Promise<void> {
    const server = serverNow()
    const { facts: stored } = await server.store.log.append('test', facts)
    await server.readModels.settled(stored.at(-1)?.seq ?? 0)
  }
  return {
    get server(): TestServer {
      return serverNow()
    },
    store,
    /** a fact of Indus, of this moment */
    happens: <T extends FactType>(type: T, data: FactData<T>): Promise<void> =>
      store({ type, at: serverNow().clock.at, companyId: 'indus', data } as NewFact),
    /** of a session that lasts, also while nobody is let in */
    async tokenOf(userName: string): Promise<string> {
      const token = tokens.get(userName) ?? (await serverNow().signIn(userName)).access_token
      tokens.set(userName, token)
      return token
    },
  }
}
