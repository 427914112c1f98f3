import Fastify from 'fastify'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { POSITION_HEADER } from '#machines/contracts/protocol.ts'
import { A_SERVER_STARTS, emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { StoreUnavailable } from '../../store/store.ts'
import { group } from '../../testing/facts.ts'
import { createCatchUp } from './catch-up.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
})
afterEach(() => server.close())

const groups = (headers: Record<string, string> = {}) =>
  server.ask('subgroups', { params: { groupId: 'indus' }, token, headers })

/** The groups as they are answered to somebody who was told what happened up to a position, and where the node says that it is. */
async function groupsAfter(position: number) {
  const response = await groups({ [POSITION_HEADER]: String(position) })
  return { ids: JSON.stringify(response.json()), behind: response.headers[POSITION_HEADER] }
}

test('who was told of a change by another node is not answered with what was before it', async () => {
  const { store } = server
  vi.spyOn(store.log, 'caughtUp').mockImplementationOnce(async () => {
    const { facts } = await store.log.append('structure', [group('cold-store', 'indus', 'indus')])
    return facts.at(-1)?.seq ?? 0
  })
  const { ids, behind } = await groupsAfter(store.log.head() + 1)
  expect(ids).toContain('cold-store')
  expect(behind).toBeUndefined()
})

test('where the others cannot be asked, what is here is answered, and says where that is', async () => {
  const { store } = server
  vi.spyOn(store.log, 'caughtUp').mockRejectedValueOnce(new StoreUnavailable('the connection was lost'))
  const { ids, behind } = await groupsAfter(store.log.head() + 1)
  expect(ids).toContain('lahore')
  expect(behind).toBe(String(server.readModels.seq))
})

test('nobody waits who knows no more than this node, or who names no position', async () => {
  const asked = vi.spyOn(server.store.log, 'caughtUp')
  await groupsAfter(server.store.log.head())
  await groups()
  await groups({ [POSITION_HEADER]: 'far' })
  expect(asked).not.toHaveBeenCalled()
})

/** What is answered by a node at 5 to who was told what happened up to 9. */
async function answered(deps: Omit<Parameters<typeof createCatchUp>[0], 'mostMs'>) {
  const app = Fastify()
  onTestFinished(() => app.close())
  const catchUp = createCatchUp({ ...deps, mostMs: 1 })
  app.get('/', async (request, reply) => {
    await catchUp(request, reply)
    return {}
  })
  return (await app.inject({ url: '/', headers: { [POSITION_HEADER]: '9' } })).headers[POSITION_HEADER]
}

test('nobody waits longer than a moment', async () => {
  const never = new Promise<never>(() => {})
  const readModels = { seq: 5, settled: () => never }
  expect(await answered({ log: { caughtUp: () => never }, readModels })).toBe('5')
  expect(await answered({ log: { caughtUp: async () => 9 }, readModels })).toBe('5')
})

test('nobody waits for a position of a record that was begun anew', async () => {
  const readModels = { seq: 5, settled: vi.fn(async () => {}) }
  expect(await answered({ log: { caughtUp: async () => 6 }, readModels })).toBeUndefined()
  expect(readModels.settled).toHaveBeenCalledWith(6)
})

test(
  'of two nodes over one database each answers with what the other said that it has',
  async () => {
    const env = { DATABASE_URL: await emptyDatabase() }
    const one = await buildTestServer({ env })
    const other = await buildTestServer({ env, beside: one })
    onTestFinished(async () => {
      for (const { close } of [one, other]) await close()
    })
    const by = { token: (await one.signIn('ayesha')).access_token, params: { groupId: 'indus' } }
    const seen: boolean[] = []
    for (let n = 0; n < 10; n++) {
      const { facts } = await one.store.log.append('structure', [group(`store-${n}`, 'indus', 'indus')])
      const position = { [POSITION_HEADER]: String(facts.at(-1)?.seq) }
      const { body } = await other.ask('subgroups', { ...by, headers: position })
      seen.push(body.includes(`"store-${n}"`))
    }
    expect(seen).toEqual(Array(10).fill(true))
  },
  A_SERVER_STARTS,
)
