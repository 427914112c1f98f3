import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Network } from '../network.ts'

/** Where Socket.IO is met, by upgrade and by polling. */
export const SOCKET_IO_PATH = '/socket.io'

/**
 * A server that never listens: `@fastify/websocket` and Socket.IO each get one of their own to hear `upgrade` on.
 * On one shared server both would answer every upgrade, and break each other in silence.
 */
export const upgradeTarget = (): Server => createServer()

/** What is asked of a request for a socket before anybody looks at it. */
export type Gate = {
  network: Pick<Network, 'isCut' | 'follow'>
  /** what the portal's address starts with, e.g. `https://fleet.example`, besides the address that is called; undefined: no other */
  publicUrl: string | undefined
}

/**
 * Whether a socket is opened by a page of ours: a browser says whose page it is in `origin`, and lets pages of others open
 * sockets to us. Programs say nothing, and have no one's cookies.
 */
export function isOwnPage(
  { headers: { origin, host } }: IncomingMessage,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined || origin === publicUrl) return true
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * Sends each upgrade of `server` to the target whose path it names; a path that nobody has is answered with 404.
 * @param targets by path without query, e.g. `/live`; a trailing slash in the request makes no difference
 */
export function routeUpgrades(
  server: Server,
  targets: Record<string, Server>,
  { network, publicUrl }: Gate,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (network.isCut) return socket.destroy()
    network.follow(socket)
    const path = socketPathOf(request)
    const target = Object.hasOwn(targets, path) ? targets[path] : undefined
    if (target === undefined) refuse(socket, '404 Not Found')
    else if (!isOwnPage(request, publicUrl)) refuse(socket, '403 Forbidden')
    else target.emit('upgrade', request, socket, head)
  })
}

const refuse = (socket: Duplex, status: string): unknown =>
  socket.on('error', () => socket.destroy()).end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)

/**
 * Sends requests of Socket.IO to `target`, and all others of `server` to whoever had them. A plain client polls before it
 * upgrades: this is beneath all routes, as upgrades are, since bodies and answers are the engine's.
 */
export function routePolling(server: Server, target: Server, { network, publicUrl }: Gate): void {
  const others = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (socketPathOf(request) !== SOCKET_IO_PATH)
      for (const answer of others) answer.call(server, request, response)
    else if (network.isCut) request.destroy()
    else if (!isOwnPage(request, publicUrl)) response.writeHead(403, { connection: 'close' }).end()
    else {
      network.follow(response)
      response.setHeader('x-content-type-options', 'nosniff')
      target.emit('request', request, response)
    }
  })
}

/** The path a request names, without query and trailing slash. */
export const socketPathOf = ({ url = '' }: IncomingMessage): string =>
  url.split('?', 1)[0]?.replace(/\/$/, '') ?? ''
