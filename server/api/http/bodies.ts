import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { DEEPEST, printable } from '#machines/contracts/decode.ts'
import { ApiError } from './refusals.ts'

/**
 * Bodies are JSON and nothing else. Bytes that are no UTF-8 are refused: read leniently, they would be stored as other
 * letters than were sent.
 */
async function bodies(app: FastifyInstance): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['text/plain', 'application/json'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) return done(new ApiError(400, 'The body is no UTF-8'))
    void parse(request, body.toString(), (error, value) =>
      done(error, isDeep(body) ? printable(value) : value),
    )
  })
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, 0x7b, 0x7d]
/** What a bracket differs in from a brace. */
const AS_BRACE = 0x20

/**
 * Whether lists and objects of a JSON text lie in each other deeper than anything of ours. A contract makes a text of what it
 * refuses, and each list around a text copies it: 4 MB in 3,000 lists kept everybody else waiting for half a minute.
 */
export function isDeep(json: Uint8Array): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number
    if (byte === QUOTE) isInText = !isInText
    else if (isInText) i += Number(byte === BACKSLASH)
    else if ((byte | AS_BRACE) === OPENING) depth++
    else if ((byte | AS_BRACE) === CLOSING) depth--
    if (depth > DEEPEST) return true
  }
  return false
}

export const bodiesPlugin = fp(bodies, { name: 'bodies', fastify: '5.x' })
