import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { httpProvider } from './sms-gateway.ts'
import type { TextMessage } from './text-message.ts'

const MESSAGE: TextMessage = {
  id: 'a-1',
  kind: 'alert',
  to: '+923001234567',
  text: 'Frostline: Reefer 2: high temperature 9.4 C',
  goodUntil: 0,
  isWithdrawn: false,
}
const never = new AbortController().signal

/** A gateway on this machine, and what it was asked. */
async function gateway(answer: (response: ServerResponse) => void) {
  const requests: { headers: IncomingMessage['headers']; method: string; path: string; body: unknown }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers, method = '', url: path = '' } = request
    requests.push({ headers, method, path, body: JSON.parse(Buffer.concat(chunks).toString()) })
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { requests, port: (server.address() as AddressInfo).port }
}

test('a message is posted as JSON, with user and password of the address', async () => {
  const { requests: requested, port } = await gateway((response) => response.writeHead(202).end('queued'))
  const provider = httpProvider(`http://frost:l%C3%ACne@127.0.0.1:${port}/send?route=2`)
  expect(await provider.deliver(MESSAGE, never)).toEqual({ is: 'sent' })
  expect(requested).toEqual([
    {
      method: 'POST',
      path: '/send?route=2',
      headers: expect.objectContaining({
        'content-type': 'application/json',
        authorization: `Basic ${Buffer.from('frost:lìne').toString('base64')}`,
      }),
      body: { to: '+923001234567', text: MESSAGE.text, id: 'a-1' },
    },
  ])
})

test.each([
  [200, 'sent'],
  [204, 'sent'],
  [302, 'closed'],
  [400, 'refused'],
  [401, 'closed'],
  [404, 'closed'],
  [422, 'refused'],
  [429, 'closed'],
  [500, 'later'],
  [503, 'later'],
])('%d is %s', async (status, is) => {
  const { port } = await gateway((response) =>
    response.writeHead(status, { location: '/elsewhere' }).end(status === 204 ? '' : 'no such\n number'),
  )
  const outcome = await httpProvider(`http://127.0.0.1:${port}/`).deliver(MESSAGE, never)
  expect(outcome).toEqual(is === 'sent' ? { is } : { is, reason: `${status} no such number` })
})

test('a reason is no longer than what somebody reads, however much is answered', async () => {
  const { port } = await gateway((response) => response.writeHead(400).end('x'.repeat(1_000_000)))
  const outcome = await httpProvider(`http://127.0.0.1:${port}/`).deliver(MESSAGE, never)
  expect(outcome).toEqual({ is: 'refused', reason: `400 ${'x'.repeat(296)}` })
})

test('nobody there, a line that breaks and a try cut short: all messages wait', async () => {
  const { port } = await gateway((response) => response.destroy())
  expect(await httpProvider(`http://127.0.0.1:${port}/`).deliver(MESSAGE, never)).toMatchObject({
    is: 'closed',
  })
  expect(await httpProvider('http://127.0.0.1:1/').deliver(MESSAGE, never)).toMatchObject({ is: 'closed' })

  const cut = new AbortController()
  const { port: silent } = await gateway(() => cut.abort())
  expect(await httpProvider(`http://127.0.0.1:${silent}/`).deliver(MESSAGE, cut.signal)).toMatchObject({
    is: 'closed',
  })
})
