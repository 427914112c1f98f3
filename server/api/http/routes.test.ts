import { connect } from 'node:net'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { emptyDirectory } from '#machines/projections/directory.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { createAnswerCall } from './routes.ts'

test('whoever works on an answer sees when nobody waits for it any more', async () => {
  const app = Fastify({ forceCloseConnections: true })
  const ayesha: Visitor = {
    ...{ userId: 'u1', sessionId: 's1', companyId: 'indus', groupId: 'indus' },
    ...{ scope: 'full', superAdmin: false, expiresAt: Number.POSITIVE_INFINITY },
  }
  const answerCall = createAnswerCall(app, {
    visitorOf: async () => ayesha,
    keyOf: () => ({ refused: { status: 401, message: '' } }),
    directory: emptyDirectory(),
    attempts: { waitOfAddress: () => 0 },
    knownDevices: { isKnown: () => false },
    once: async (_, work) => work(),
    catchUp: async () => {},
  })
  const requested = Promise.withResolvers<Visitor>()
  answerCall('asOfOverview', ({ visitor }) => {
    requested.resolve(visitor)
    return new Promise(() => {})
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${API_PREFIX}/asof/overview HTTP/1.1\r\nhost: here\r\nauthorization: Bearer t\r\n\r\n`)
  const visitor = await requested.promise
  expect(visitor.hasLeft?.()).toBe(false)
  socket.destroy()
  await vi.waitFor(() => expect(visitor.hasLeft?.()).toBe(true))
  await app.close()
})
