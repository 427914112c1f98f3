import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

const compress = promisify(gzip)
/** Below this a packet is a packet, bytes. */
const WORTH_IT = 4096
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/**
 * JSON goes out compressed where it crosses a network. To one's own machine it costs more than it saves; streams and binary
 * columns stay as they are.
 */
async function compression(app: FastifyInstance): Promise<void> {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < WORTH_IT) return payload
    const isTaken = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    // until it is taken, a text would be held beside the bytes that are made of it
    if (!isTaken || LOOPBACK.test(request.ip) || reply.hasHeader('content-encoding'))
      return Buffer.from(payload)
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').removeHeader('content-length')
    return compress(payload, { level: 4 })
  })
}

export const compressionPlugin = fp(compression, { name: 'compression', fastify: '5.x' })
