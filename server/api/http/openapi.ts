import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import type { Access, AnyStruct, Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import { EditConflict } from '#machines/contracts/entities/changes.ts'
import { jsonSchema } from './json-schema.ts'

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  anyone: [],
  session: [{ bearer: [] }],
  reset: [{ bearer: [] }],
  'device-key': [{ deviceKey: [] }],
  // of no call that is described
  director: [],
}

/** Describes every route that answers a call of the contract, from the contract. Register before the routes. */
async function openapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Frostline', version: '1', description: 'Fleet and cold-chain monitoring.' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          deviceKey: { type: 'apiKey', in: 'header', name: 'x-device-key' },
        },
      },
    },
    transform: ({ route, url }) => {
      const name = route.config?.call
      // a HEAD that Fastify adds to a GET has the GET's call: one of them is enough
      const isShown = name !== undefined && route.method !== 'HEAD'
      return { url, schema: isShown ? descriptionOf(CALLS[name]) : { hide: true } }
    },
  })
}

function descriptionOf(call: Call): FastifySchema {
  return {
    summary: call.summary,
    security: call.takesKey ? [...SECURITY[call.access], ...SECURITY['device-key']] : SECURITY[call.access],
    ...(call.params && { params: jsonSchema(call.params) }),
    ...(call.query && { querystring: jsonSchema(call.query) }),
    ...(call.body && { body: jsonSchema(call.body) }),
    ...(call.takesFile && { consumes: ['multipart/form-data'], body: FILE }),
    ...(call.versioned && call.method !== 'GET' && { headers: IF_MATCH }),
    response: {
      [call.status ?? 200]: call.media
        ? { description: 'Done', content: { [call.media]: { schema: { type: 'string', format: 'binary' } } } }
        : { description: 'Done', ...(call.versioned && { headers: ETAG }), ...jsonSchema(call.answer) },
      ...(call.versioned && call.method !== 'GET' && { 412: CONFLICT }),
      '4xx': { description: 'Refused', ...REFUSAL },
    },
  } as FastifySchema
}

const FILE = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
}
const IF_MATCH = {
  type: 'object',
  properties: {
    'if-match': { type: 'string', description: 'The version that is changed, as its ETag; left out: any' },
  },
}
const ETAG = { etag: { type: 'string', description: 'The version of what is answered' } }
const conflict: AnyStruct = EditConflict
const CONFLICT = { description: 'It was changed meanwhile', ...jsonSchema(conflict) }

const REFUSAL = {
  type: 'object',
  properties: {
    code: {
      type: ['number', 'string'],
      description: "The HTTP status; 'error' where a user was not created",
    },
    message: { type: 'string' },
  },
  required: ['code', 'message'],
}

export const openapiPlugin = fp(openapi, { name: 'openapi', fastify: '5.x' })
