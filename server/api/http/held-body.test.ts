import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { DEVICE_KEY } from '../../commands/testing/company-facts.ts'
import { buildTestServer, START, type TestServer } from './testing/test-app.ts'

let server: TestServer
let token: string
beforeEach(async () => {
  server = await buildTestServer()
  token = (await server.signIn('ayesha')).access_token
  await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => server.close())

/** Sends half of a request, what happens meanwhile, and the rest; answers the status. */
async function held(line: string, header: string, body: object, meanwhile: NewFact): Promise<number> {
  const { port } = server.app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  const payload = JSON.stringify(body)
  const about = `content-type: application/json\r\ncontent-length: ${payload.length}`
  socket.write(`${line} HTTP/1.1\r\nhost: here\r\n${header}\r\n${about}\r\nexpect: 100-continue\r\n\r\n`)
  // the headers are read; whoever asks after them is let in after them
  await once(socket, 'data')
  socket.write(payload.slice(0, 5))
  expect((await server.ask('me', { token })).statusCode).toBe(200)
  await server.store.log.append('meanwhile', [meanwhile])
  await server.readModels.settled(server.store.log.head())
  socket.write(payload.slice(5))
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(answer))?.[1])
}

const ofIndus = { at: START, companyId: 'indus' }
const suspended: NewFact = { ...ofIndus, type: 'company.suspended', data: { companyId: 'indus' } }

test.each([
  ['deleted', 401, (): NewFact => ({ ...ofIndus, type: 'user.deleted', data: { userId: 'u1' } })],
  [
    'signed out',
    401,
    (): NewFact => {
      const [sessionId = ''] = server.readModels.directory.users.get('u1')?.sessions.keys() ?? []
      return { ...ofIndus, type: 'session.ended', data: { userId: 'u1', sessionId, reason: 'remote' } }
    },
  ],
  ['suspended', 403, () => suspended],
])('a body of whoever is %s before it ends is not carried out', async (_, status, meanwhile) => {
  const rename = { name: 'Held', groupId: 'punjab' }
  const line = 'PUT /api/things/350000000000001'
  expect(await held(line, `authorization: Bearer ${token}`, rename, meanwhile())).toBe(status)
  const device = server.readModels.directory.devices.find(({ imei }) => imei === '350000000000001')
  expect(device?.name).not.toBe('Held')
})

test('readings by a key that opens nothing any more before they end are not taken', async () => {
  const reading = { imei: '350000000000001', timestamp: START, temperature: 4 }
  const line = 'POST /api/ingest'
  expect(await held(line, `x-device-key: ${DEVICE_KEY}`, { readings: [reading] }, suspended)).toBe(403)
})
