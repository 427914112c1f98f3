import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { ApiError } from './refusals.ts'

/**
 * Bodies are JSON and nothing else. Bytes that are no UTF-8 are refused: read leniently, they would be stored as other
 * letters than were sent.
 */
async function bodies(app: FastifyInstance): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (isUtf8(body)) void parse(request, body.toString(), done)
    else done(new ApiError(400, 'The body is no UTF-8'))
  })
}

export const bodiesPlugin = fp(bodies, { name: 'bodies', fastify: '5.x' })
