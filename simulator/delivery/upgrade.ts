import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Links } from '../directing/links.ts'

/**
 * A server that never listens: `@fastify/websocket` and Socket.IO each get one of their own to hear `upgrade` on.
 * On one shared server both would answer every upgrade, and break each other in silence.
 */
export const upgradeTarget = (): Server => createServer()

/**
 * Sends each upgrade of `server` to the target whose path it names; a path that nobody has is answered with 404.
 * @param targets by path without query, e.g. `/live`; a trailing slash in the request makes no difference
 * @param links the network they come over
 */
export function routeUpgrades(
  server: Server,
  targets: Record<string, Server>,
  links: Pick<Links, 'isCut' | 'follow'>,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (links.isCut) return socket.destroy()
    links.follow(socket)
    const path = (request.url ?? '').split('?', 1)[0]?.replace(/\/$/, '') ?? ''
    const target = Object.hasOwn(targets, path) ? targets[path] : undefined
    if (target !== undefined) target.emit('upgrade', request, socket, head)
    else socket.on('error', () => socket.destroy()).end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  })
}
