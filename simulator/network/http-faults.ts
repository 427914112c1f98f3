import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { refused } from '../../server/ports.ts'

/** What is wrong with the network. */
export type NetworkState = {
  /** whether anything is wrong at all */
  readonly isBad: boolean
  readonly isCut: boolean
  /** whether this call is one of those that fail */
  fails(): boolean
  /** resolves when a call has come through */
  crossed(): Promise<void>
}

/** Lets the calls of portals feel what is wrong with the network. Call before the app is ready. */
export function failRequests(app: FastifyInstance, network: NetworkState): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!network.isBad || !isPortals(request)) return
    await network.crossed()
    if (network.isCut) {
      reply.hijack()
      request.raw.destroy()
    } else if (network.fails())
      throw refused(503, 'Not available now, try again shortly', { 'retry-after': '1' })
  })
  // the network is cut while an answer is made
  app.addHook('onSend', async (request) => {
    if (network.isCut && isPortals(request)) request.raw.destroy()
  })
}

/** Not what devices send. */
const isPortals = ({ url }: FastifyRequest): boolean =>
  url.startsWith(`${API_PREFIX}/`) && !url.startsWith(`${API_PREFIX}/ingest`)
