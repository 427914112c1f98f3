import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { ApiError } from '../../server/api/http/refusals.ts'
import type { Links } from './network-faults.ts'

/** Lets the calls of portals feel what is wrong with the network. Call before the app is ready. */
export function feelLinks(app: FastifyInstance, links: Links): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!links.isBad || !isPortals(request)) return
    await links.crossed()
    if (links.isCut) {
      reply.hijack()
      request.raw.destroy()
    } else if (links.fails())
      throw new ApiError(503, 'Not available now, try again shortly', {}, { 'retry-after': '1' })
  })
  // the network is cut while an answer is made
  app.addHook('onSend', async (request) => {
    if (links.isCut && isPortals(request)) request.raw.destroy()
  })
}

/** Not what devices send. */
const isPortals = ({ url }: FastifyRequest): boolean =>
  url.startsWith(`${API_PREFIX}/`) && !url.startsWith(`${API_PREFIX}/ingest`)
