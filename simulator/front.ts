import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { HTTP_OPTIONS } from './http/plugin.ts'

/** The one port of the house. Who answers behind it can be exchanged while it listens. */
export type Front = {
  server: Server
  /** from now on this app answers; it must be ready */
  show(app: FastifyInstance): void
  close(): Promise<void>
}

export function createFront(): Front {
  let shown: FastifyInstance | undefined
  const { requestTimeout, keepAliveTimeout, connectionTimeout } = HTTP_OPTIONS
  const server = createServer({ requestTimeout, keepAliveTimeout }, (request, response) => {
    if (shown) shown.routing(request, response)
    else response.writeHead(503, { 'retry-after': '1' }).end()
  })
  server.setTimeout(connectionTimeout)
  server.on('upgrade', (request, socket, head) => {
    // the limit on idle connections is for requests: these have their own signs of life
    if (socket instanceof Socket) socket.setTimeout(0)
    if (shown === undefined || !shown.server.emit('upgrade', request, socket, head)) socket.destroy()
  })
  return {
    server,
    show(app) {
      shown = app
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeIdleConnections()
      }),
  }
}
