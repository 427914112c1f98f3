import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startServerProcess } from '../../server/testing/server-process.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
const MINUTE = 60_000
const OPERATOR = 'operator@indus.example'
/** A machine that is busy otherwise takes its time. */
const until = (condition: () => unknown) => vi.waitUntil(condition, { interval: 10 })

let url: string
let open: Open[]
beforeEach(async () => {
  url = await emptyDatabase()
  open = []
})
afterEach(() => Promise.all(open.map(({ server }) => server.close())))

async function opened(env: Record<string, string>): Promise<Open> {
  const server = await startDemo(env)
  open.push(server)
  return server
}
const node = (name: string, env: Record<string, string> = {}) =>
  opened({ DATABASE_URL: url, NODE_NAME: name, ...env })
async function close(server: Open): Promise<void> {
  open = open.filter((each) => each !== server)
  await server.server.close()
}
const isLed = ({ simulator }: Open) => simulator.director !== undefined
const figure = async ({ send }: Open, name: string): Promise<string | undefined> =>
  (await send('GET', '/metrics')).text
    .split('\n')
    .find((line) => line.startsWith(name) && !line.startsWith('#'))
/** the term that this one leads in, as a node says; a node that is late for its time begins another */
async function termOf(node: Open, lead: string): Promise<number> {
  const said = (await figure(node, 'node_lead_term')) ?? ''
  const start = `node_lead_term{lead="${lead}"} `
  expect(said).toContain(start)
  return Number(said.slice(start.length))
}

test('one plays the world and all show it, whichever is asked; another goes on where it ends', async () => {
  const [first, steady] = await Promise.all([node('first'), opened({})])
  const second = await node('second')
  expect([isLed(first), isLed(second)]).toEqual([true, false])
  const term = await termOf(second, 'first')
  expect(await termOf(first, 'first')).toBe(term)
  expect(await figure(second, 'node_leads')).toBe('node_leads 0')

  const start = first.simulator.simulation.world.start
  const status = await second.sim.advanceTo(start + 10 * MINUTE)
  expect(status).toEqual(await steady.sim.advanceTo(start + 10 * MINUTE))
  expect(await first.sim.status()).toEqual(status)
  await until(async () => (await second.ask('time')).now === status.now)
  // who signed in at one is known to the other, who shows the same fleet
  const token = await first.signIn(OPERATOR)
  const fleetAt = ({ ask }: Open) => ask('observationsLatest', { params: { groupId: 'indus' }, token })
  await second.server.app.core.store.log.caughtUp()
  await second.server.app.core.settled()
  expect(await fleetAt(second)).toEqual(await fleetAt(first))

  await second.sim.ask('POST', '/links', { fault: 'server-errors', share: 1, forSeconds: 60 })
  await until(async () => (await second.send('GET', '/api/time')).status === 503)
  const [link] = await second.sim.ask('GET', '/links')
  expect((await second.send('DELETE', `/sim/links/${link.id}`)).status).toBe(204)
  await until(async () => (await second.send('GET', '/api/time')).status === 200)

  await close(first)
  await until(() => isLed(second))
  expect(await termOf(second, 'second')).toBeGreaterThan(term)
  const goal = start + 20 * MINUTE
  const [after, never] = await Promise.all([second.sim.advanceTo(goal), steady.sim.advanceTo(goal)])
  // what was done to the network is an act of the director's, and no fact of a device
  expect(after).toEqual(never)
})

test('of a lead that is killed nothing is lost and nothing is told twice', async () => {
  const env = { DATABASE_URL: url, DATA_DIR: ':memory:' }
  const [first, steady] = await Promise.all([startServerProcess({ ...env, NODE_NAME: 'first' }), opened({})])
  const second = await node('second')
  await second.sim.pause()
  const start = second.simulator.simulation.world.start
  await second.sim.advanceTo(start + 10 * MINUTE)
  first.process.kill('SIGKILL')
  await first.ended
  const { status } = await second.send('GET', '/sim/status')
  // its time may be over already
  expect(isLed(second) || status === 503).toBe(true)
  expect((await second.send('GET', '/readyz')).status).toBe(200)
  await until(() => isLed(second))
  const goal = start + 20 * MINUTE
  const [after, never] = await Promise.all([second.sim.advanceTo(goal), steady.sim.advanceTo(goal)])
  expect(after).toEqual(never)
})

test('a reset, or another scenario, asked for at one is one on all', async () => {
  const first = await node('first')
  const second = await node('second')
  const start = first.simulator.simulation.world.start
  const begun = await second.sim.advanceTo(start + MINUTE)
  const token = await second.signIn(OPERATOR)
  const apps = [first.server.app, second.server.app]
  const areNew = () => first.server.app !== apps[0] && second.server.app !== apps[1]
  const worlds = [first, second].map(({ simulator }) => simulator.simulation)
  await second.sim.reset()
  await until(areNew)
  for (const [i, { simulator }] of [first, second].entries()) expect(simulator.simulation).toBe(worlds[i])
  await second.sim.pause()
  expect(await second.sim.advanceTo(start + MINUTE)).toEqual(begun)
  for (const { send } of [first, second])
    expect((await send('GET', '/api/groups/indus/observations-latest', { token })).status).toBe(401)

  apps.splice(0, 2, first.server.app, second.server.app)
  const dairy = await second.sim.ask('POST', '/open', { scenario: 'dairy-dawn', devices: 30 })
  expect(dairy).toMatchObject({ scenarioName: 'dairy-dawn', devices: 30 })
  await until(areNew)
  const third = await node('third')
  const names = [first, second, third].map(({ simulator }) => simulator.simulation.scenario.name)
  expect(names).toEqual([dairy.scenario, dairy.scenario, dairy.scenario])
  expect(await third.sim.status()).toMatchObject({ scenarioName: 'dairy-dawn' })
})
