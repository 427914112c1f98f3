import replyFrom from '@fastify/reply-from'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Cluster, refused } from '../../server/ports.ts'

export type Nodes = Pick<Cluster, 'leads' | 'leader'>

/** What a node says to the lead to be known as one of the server. */
const NODE_KEY = 'x-frostline-node'

/** Whether another node asks, which has looked at who asked it. */
export function isNode({ headers }: Pick<FastifyRequest, 'headers'>, nodes: Nodes): boolean {
  const key = nodes.leads() ? nodes.leader()?.key : undefined
  return key !== undefined && headers[NODE_KEY] === key
}

/**
 * Has calls of this scope answered by the node that leads, wherever they come in, once whoever stands before them has let them
 * in. What is passed on goes no further: two nodes that take each other for the lead send nothing round.
 */
export async function forwardToLead(app: FastifyInstance, nodes: Nodes): Promise<void> {
  // a month of the world takes longer than any patience; the answer outlives the app, which a reset exchanges
  await app.register(replyFrom, {
    undici: { headersTimeout: 0, bodyTimeout: 0 },
    disableRequestLogging: true,
  })
  app.addHook('preHandler', async (request, reply) => {
    if (nodes.leads()) return
    const lead = nodes.leader()
    if (lead === undefined || request.headers[NODE_KEY] !== undefined)
      throw refused(503, 'No node leads now, try again shortly', { 'retry-after': '1' })
    takesLong(request)
    return reply.from(undefined, {
      getUpstream: () => lead.address,
      rewriteRequestHeaders: (_, { 'accept-encoding': _unasked, ...headers }) => ({
        ...headers,
        [NODE_KEY]: lead.key,
      }),
      onError: (reply) => {
        void reply.code(503).header('retry-after', '1').send(UNREACHED)
      },
    })
  })
}

const UNREACHED = { code: 503, message: 'The node that leads cannot be reached, try again shortly' }

/** A silent connection is not kept for long; a request without a port has none. */
export function takesLong({ raw: { socket } }: FastifyRequest): void {
  if ('setTimeout' in socket) socket.setTimeout(0)
}
