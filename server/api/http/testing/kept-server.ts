import type { FactData, FactType, NewFact } from '#machines/contracts/facts.ts'
import { startKeepingFrames } from '../../../jobs/frames/keep-frames.ts'
import { buildTestServer } from './test-app.ts'

const MINUTE = 60_000

export type KeptServer = Awaited<ReturnType<typeof startKeptServer>>

/** A server, and who keeps its frames where it leads; its sessions last for days. */
export async function startKeptServer() {
  const server = await buildTestServer({ env: { ACCESS_TTL: '2000000' } })
  const keeping = startKeepingFrames({
    store: server.store,
    readModels: server.readModels,
    clock: server.clock,
    retentionDays: 92,
    warn: (message) => {
      throw new Error(message)
    },
    lookMs: 1e9,
  })
  async function store(...facts: NewFact[]): Promise<void> {
    const { facts: stored } = await server.store.log.append('test', facts)
    await server.readModels.settled(stored.at(-1)?.seq ?? 0)
  }
  return {
    server,
    store,
    /** a fact of Indus, of this moment */
    happens: <T extends FactType>(type: T, data: FactData<T>): Promise<void> =>
      store({ type, at: server.clock.at, companyId: 'indus', data } as NewFact),
    /** the last of them is kept */
    async passMinutes(minutes: number): Promise<void> {
      server.clock.at += minutes * MINUTE
      await keeping.look()
    },
    tokenOf: async (userName: string): Promise<string> => (await server.signIn(userName)).access_token,
    async stop(): Promise<void> {
      await keeping.stop()
      await server.close()
    },
  }
}
