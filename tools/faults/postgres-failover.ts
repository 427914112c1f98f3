import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { startPrimaryAndStandby } from '../local-cluster/primary-and-standby.ts'
import { lossesInDatabase } from './database-record.ts'
import type { Fault } from './fault.ts'
import { PRODUCTION } from './production.ts'
import { baseOf, emptyLedger, keepWriting, type Ledger, signIn } from './writers.ts'

const TIMES = 5
const MOST_WRITING_MS = 5000
const PATIENCE_MS = 60_000

export const postgresFailover: Fault = {
  name: 'postgres-failover',
  what: `PostgreSQL’s primary killed ${TIMES} times while 8 writers write over two nodes, its standby promoted`,
  mustHold: '0 acknowledged lost, 0 twice, seq gapless, writing again ≤ 5 s after promotion',
  quick: 0.2,
  async run({ times, isTimed }) {
    const folder = mkdtempSync(join(tmpdir(), 'frostline-failover-'))
    const rounds = times(TIMES)
    const ledger = emptyLedger()
    const lost: string[] = []
    const seen = { refused: 0, slowest: 0, longest: 0 }
    let promoted = Promise.withResolvers<number>()
    const databases = await startPrimaryAndStandby({
      database: 'frostline',
      onPromoted: () => promoted.resolve(performance.now()),
    })
    const nodes: RunningApp[] = []
    try {
      await preparePeople({ dataDir: ':memory:', databaseUrl: databases.url })
      for (const name of ['node-1', 'node-2'])
        nodes.push(
          await startApp({
            dataDir: join(folder, name),
            env: { ...PRODUCTION, DATABASE_URL: databases.url, NODE_NAME: name },
          }),
        )
      // not the one that leads: what it writes goes to the others too
      const { url: address } = nodes[1] as RunningApp
      const token = await signIn(address)
      const writing = keepWriting({
        address,
        token,
        ledger,
        base: baseOf(Date.now()),
        onRefused: () => void seen.refused++,
        onCut: (request) => lost.push(`${request} was cut`),
      })
      for (let round = 1; round <= rounds; round++) {
        await bothWritten(ledger, 'before the primary was killed')
        promoted = Promise.withResolvers()
        const killed = performance.now()
        await databases.primary().kill()
        const at = await promoted.promise
        await bothWritten(ledger, `after promotion ${round}`)
        const again = performance.now()
        seen.slowest = Math.max(seen.slowest, again - at)
        seen.longest = Math.max(seen.longest, again - killed)
        await databases.bothUp()
      }
      await writing.stop()
      for (const node of nodes) await node.stop()
      lost.push(...ledger.wrong, ...(await lossesInDatabase(databases.url, ledger)))
      if (isTimed && seen.slowest > MOST_WRITING_MS)
        lost.push(`writing again took ${say(seen.slowest)} ms after a promotion`)
      return {
        tried: `${rounds} kills, ${say(ledger.count)} acknowledgements, ${say(ledger.named.size)} of them commands, ${say(seen.refused)} refusals; writing again at most ${say(seen.slowest)} ms after the promotion, ${say(seen.longest)} ms after the kill`,
        lost,
      }
    } finally {
      for (const node of nodes) await node.kill()
      await databases.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Resolves when readings were acknowledged since, and commands. */
async function bothWritten(ledger: Ledger, when: string): Promise<void> {
  const readings = () => [...ledger.readings.values()].reduce((sum, { size }) => sum + size, 0)
  const [before, named] = [readings(), ledger.named.size]
  for (const began = performance.now(); readings() === before || ledger.named.size === named; await pause(10))
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`${when} nothing was acknowledged for ${PATIENCE_MS / 1000} s`)
}
