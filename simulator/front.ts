import { createServer, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { HTTP_OPTIONS } from './http/plugin.ts'
import { sendNotYet } from './http/starting-page.ts'

/** The one port of the house. Who answers behind it can be exchanged while it listens. */
export type Front = {
  server: Server
  /** from now on this app answers; it must be ready */
  show(app: FastifyInstance): void
  /** from now on nobody answers: 503, with a page for whoever wants one */
  hide(): void
  /** takes nothing more, lets requests finish for a moment, then cuts them off */
  close(): Promise<void>
}

/** Ms an answer under way has to reach somebody slow when the house closes; a service manager kills after 10 s at the least. */
const PATIENCE = 8000

export function createFront({ patience = PATIENCE } = {}): Front {
  let shown: FastifyInstance | undefined
  const { requestTimeout, keepAliveTimeout, connectionTimeout } = HTTP_OPTIONS
  const server = createServer({ requestTimeout, keepAliveTimeout }, (request, response) => {
    if (shown) shown.routing(request, response)
    else sendNotYet(request, response)
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
    hide() {
      shown = undefined
    },
    close: () =>
      new Promise((resolve, reject) => {
        // a client keeps its connection for the next request: it is idle, and open, after its last
        const idle = setInterval(() => server.closeIdleConnections(), 50)
        const late = setTimeout(() => server.closeAllConnections(), patience)
        server.close((error) => {
          clearInterval(idle)
          clearTimeout(late)
          if (error) reject(error)
          else resolve()
        })
      }),
  }
}
