/** Frostline on several nodes of this machine: `npm run cluster`. Prints what runs where, which node leads and how to kill what. */
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../../server/testing/caller.ts'
import { argumentsOf, whole } from '../build/arguments.ts'
import { buildPortal, isPortalStale } from '../build/portal-build.ts'
import { startCluster } from './local-cluster.ts'

const { values } = argumentsOf({
  command: 'npm run cluster',
  says: 'Runs PostgreSQL with a synchronous standby, three servers of NATS and three nodes, all on the loopback address, in folders that are deleted at the end. DEVICES=500 makes a smaller fleet, PORT=8000 and TELTONIKA_PORT=6000 have the first node listen there and the others on the ports after it.',
  options: { nodes: whole(1, 9, 'how many, 3 where left out') },
})
const { nodes = 3 } = values
const [port, trackers] = [Number(process.env.PORT || 4000), Number(process.env.TELTONIKA_PORT || 5027)]

if (isPortalStale()) {
  console.log('Building the portal …')
  await buildPortal().done
}
console.log('Starting PostgreSQL, its standby, three servers of NATS and the nodes …')
const cluster = await startCluster({
  ...{ nodes, port, teltonikaPort: trackers, onMessage: console.log },
  env: { DEVICES: process.env.DEVICES ?? '' },
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})

let lead: string | undefined
const looking = (async () => {
  for (;;) {
    // while PostgreSQL fails over there is nobody to say it
    const found = (await cluster.lead().catch(() => undefined))?.name
    if (found !== undefined && found !== lead) {
      if (lead !== undefined) console.log(`${found} leads now`)
      lead = found
    }
    await pause(500)
  }
})()
looking.catch(() => {})
while (lead === undefined) await pause(50)

const [first] = cluster.nodes
const accounts = first
  ? await callerOf(first.url)
      .ask('demoAccounts')
      .catch(() => [])
  : []
print()

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => void heard(line.trim()).catch((error: unknown) => console.error(String(error))))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.log('Ending all of it …')
    lines.close()
    void cluster.stop().then(() => process.exit(0))
  })

async function heard(name: string): Promise<void> {
  if (name === '') return print()
  console.log((await cluster.startAgain(name)) ? `${name} runs again` : `nothing of the name ${name} is gone`)
}

/** What there is, where, and how to end it. */
function print(): void {
  const { databases, nats } = cluster
  const standby = databases.standby()
  const rows = [
    ...cluster.nodes.map((node) => ({
      ...node,
      pid: node.app.pid,
      note: node.isGone() ? 'gone' : node.name === lead ? 'leads' : '',
    })),
    ...[databases.primary(), ...(standby ? [standby] : [])].map((server) => ({
      name: 'PostgreSQL',
      url: `127.0.0.1:${server.port}`,
      pid: server.pid,
      note: server === standby ? 'standby, has all that is committed' : 'primary',
    })),
    ...nats.servers.map((server) => ({ ...server, note: server.isGone() ? 'gone' : '' })),
  ]
  const width = (of: (row: (typeof rows)[number]) => string) => Math.max(...rows.map((row) => of(row).length))
  const [names, urls, pids] = [
    width(({ name }) => name),
    width(({ url }) => url),
    width(({ pid }) => `${pid}`),
  ]
  console.log('')
  for (const { name, url, pid, note } of rows)
    console.log(
      `  ${name.padEnd(names)}  ${url.padEnd(urls)}  pid ${`${pid}`.padEnd(pids)}  ${note}`.trimEnd(),
    )
  if (accounts.length > 0)
    console.log(
      `\nSign in on any node, password ${accounts[0]?.password}: ${accounts.map(({ email }) => email).join(', ')}`,
    )
  const leading = cluster.nodes.find(({ name }) => name === lead)
  console.log(`
Kill what you like, the node that leads, say: kill -9 ${leading?.app.pid}
A name and Enter starts a node or a server of NATS again, Enter alone shows this again, Ctrl+C ends all of it.`)
}
