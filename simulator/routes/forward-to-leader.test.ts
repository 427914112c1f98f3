import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { refusalsPlugin } from '../../server/api/http/refusals.ts'
import { simPlugin } from './sim.ts'
import { fakeDirector, START } from './testing/fake-director.ts'

/** Who leads, as each of two nodes sees it: `first`, `second`, or nobody. */
type Seen = 'first' | 'second' | undefined
type Node = { app: FastifyInstance; server: ReturnType<typeof fakeDirector>; sees: Seen; address: string }
let first: Node
let second: Node
beforeEach(async () => {
  first = await open('first')
  second = await open('second')
})
afterEach(() => Promise.all([first.app.close(), second.app.close()]))

async function open(name: 'first' | 'second'): Promise<Node> {
  const server = fakeDirector('s3cret')
  const app = Fastify()
  const node: Node = { app, server, sees: 'first', address: '' }
  const leader = () => {
    const of = { first, second }[node.sees as 'first' | 'second']
    return of && { node: node.sees as string, address: of.address, key: `key of ${node.sees}`, term: 1 }
  }
  await app.register(refusalsPlugin)
  await app.register(simPlugin, { ...server.deps, nodes: { leads: () => node.sees === name, leader } })
  node.address = await app.listen({ host: '127.0.0.1', port: 0 })
  return node
}
const call = ({ address }: Node, method: string, path: string, body?: object, headers = {}) =>
  fetch(`${address}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

test('what comes in at another node is done by the lead, and answered as it answers', async () => {
  const set = await call(second, 'POST', '/sim/clock', { advanceSeconds: 90 })
  expect([set.status, await set.json()]).toMatchObject([200, { now: START + 90_000 }])
  expect([first.server.state.now, second.server.state.now]).toEqual([START + 90_000, START])
  const outbox = await call(second, 'GET', '/sim/outbox?to=a@indus.example')
  expect(await outbox.json()).toMatchObject([{ subject: 'First' }])
  const wrong = await call(second, 'POST', '/sim/clock', { speed: 0 })
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 400 }])
  expect((await call(second, 'GET', '/sim/faults/none')).status).toBe(404)
})

test('a node lets in whom it would let in by itself, and the lead takes its word, but nobody else for it', async () => {
  // comes by a proxy: not at this machine, whatever machine it is
  const afar = { via: '1.1 proxy' }
  expect((await call(second, 'GET', '/sim/status', undefined, afar)).status).toBe(403)
  const withToken = { ...afar, 'x-sim-token': 's3cret' }
  expect((await call(second, 'GET', '/sim/status', undefined, withToken)).status).toBe(200)
  // a page of the server as it is reached at the second node
  const page = { origin: second.address, 'sec-fetch-site': 'same-origin' }
  expect((await call(second, 'POST', '/sim/clock', { speed: 60 }, page)).status).toBe(200)
  for (const key of ['', 'undefined', 'key of second'])
    expect(
      (await call(first, 'GET', '/sim/status', undefined, { ...afar, 'x-frostline-node': key })).status,
    ).toBe(403)
  const asNode = { ...afar, 'x-frostline-node': 'key of first' }
  expect((await call(first, 'GET', '/sim/status', undefined, asNode)).status).toBe(200)
})

test('while nobody leads, or nobody can be reached, it is 503 and to be tried again; nothing goes round', async () => {
  const refused = async (node: Node) => {
    const answer = await call(node, 'GET', '/sim/status')
    return [
      answer.status,
      answer.headers.get('retry-after'),
      ((await answer.json()) as { code: number }).code,
    ]
  }
  const again = [503, '1', 503]
  second.sees = undefined
  expect(await refused(second)).toEqual(again)
  // each takes the other for the lead
  first.sees = 'second'
  second.sees = 'first'
  expect(await refused(second)).toEqual(again)
  await first.app.close()
  expect(await refused(second)).toEqual(again)
})
