import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { BODY_PACE, HTTP_OPTIONS } from './api/http/plugin.ts'
import { sendNotYet } from './api/http/starting-page.ts'
import { SOCKET_IO_PATH, socketPathOf } from './api/realtime/upgrade.ts'

/** The one port of the server. Who answers behind it can be exchanged while it listens. */
export type FrontServer = {
  server: Server
  /** from now on this app answers; it must be ready */
  show(app: FastifyInstance): void
  /** from now on nobody answers: 503, with a page for whoever wants one */
  hide(): void
  /**
   * Takes nothing more, lets requests finish for a moment, then cuts them off. `answered`: for every request that was taken
   * an answer has begun, which may be long on its way to somebody slow; who answers is needed until then.
   */
  close(): { answered: Promise<void>; gone: Promise<void> }
}

/** Ms an answer under way has to reach somebody slow when the server closes; a service manager kills after 10 s at the least. */
const PATIENCE = 8000
/** Ms between two looks at who is still there. */
const LOOK = 10

/** Ms the headers of a request may take, and those between two looks at who takes longer: together less than 30 s. */
export const SLOW_HEADERS = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 }

/**
 * @param patience ms that answers under way have when it closes
 * @param bodyPace how slowly the body of a request may come
 */
export function createFrontServer({
  patience = PATIENCE,
  slowHeaders = SLOW_HEADERS,
  bodyPace = BODY_PACE,
} = {}): FrontServer {
  let shown: FastifyInstance | undefined
  let isClosing = false
  const underway = new Set<ServerResponse>()
  const { requestTimeout, keepAliveTimeout, connectionTimeout } = HTTP_OPTIONS
  const timeouts = { requestTimeout, keepAliveTimeout, ...slowHeaders }
  const server = createServer(timeouts, (request, response) => {
    underway.add(response)
    cutOffSlowBody(request, response, bodyPace)
    // a file that is sent compressed has eleven who wait for its end: no leak, though Node warns from eleven on
    response.setMaxListeners(20)
    response.once('close', () => underway.delete(response))
    if (isClosing) response.setHeader('connection', 'close')
    if (shown) shown.server.emit('request', request, response)
    else sendNotYet(request, response)
  })
  server.setTimeout(connectionTimeout)
  /** lines of requests */
  const lines = new Set<Socket>()
  server.on('connection', (line) => {
    lines.add(line)
    line.once('close', () => lines.delete(line))
  })
  // Node's own, which `close` calls too, cuts a line whose answer is written, but waits for somebody slow to take it
  server.closeIdleConnections = () => {
    const busy = new Set(Array.from(underway, ({ socket }) => socket))
    for (const line of lines) if (!busy.has(line)) line.destroy()
  }
  server.on('upgrade', (request, socket, head) => {
    if (socket instanceof Socket) lines.delete(socket)
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
    close() {
      isClosing = true
      const unanswered = () => [...underway].filter(({ headersSent }) => !headersSent)
      // it would send its next request on the same connection, and the one after that
      for (const response of unanswered()) response.setHeader('connection', 'close')
      // who polls is answered when there is something to tell, which is that who answers stops
      const awaited = () => unanswered().filter(({ req }) => socketPathOf(req) !== SOCKET_IO_PATH)
      let isLate = false
      const gone = new Promise<void>((resolve, reject) => {
        // a client keeps its connection for the next request: it is idle, and open, after its last
        const idle = setInterval(() => server.closeIdleConnections(), LOOK)
        const late = setTimeout(() => {
          isLate = true
          server.closeAllConnections()
        }, patience)
        server.close((error) => {
          clearInterval(idle)
          clearTimeout(late)
          if (error) reject(error)
          else resolve()
        })
      })
      const answered = (async () => {
        while (!isLate && awaited().length > 0) await pause(LOOK)
      })()
      return { answered, gone }
    },
  }
}

/** Cuts a request off whose body comes more slowly than it may. What it has brought grants it more time. */
function cutOffSlowBody(
  request: IncomingMessage,
  response: ServerResponse,
  { patience, slowest }: typeof BODY_PACE,
): void {
  const { socket } = request
  const before = socket.bytesRead
  const begun = performance.now()
  let timer: NodeJS.Timeout
  const look = (): void => {
    const left = patience + (socket.bytesRead - before) / slowest - (performance.now() - begun)
    if (left > 0) timer = setTimeout(look, left)
    else if (!request.complete) {
      if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
      socket.destroy()
    }
  }
  timer = setTimeout(look, patience)
  request.once('close', () => clearTimeout(timer))
}
