import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import fp from 'fastify-plugin'
import { type Access, type Call, takesIdempotencyKey } from '#machines/contracts/calls/call.ts'
import { IdempotencyKey } from '#machines/contracts/calls/idempotency-key.ts'
import { CALL_SUBJECTS, CALLS, type CallName } from '#machines/contracts/calls.ts'
import type { AnyStruct } from '#machines/contracts/choice.ts'
import { EditConflict } from '#machines/contracts/entities/changes.ts'
import { type CallExample, EXAMPLES } from '#machines/contracts/examples.ts'
import { componentSchemas, jsonSchema } from './json-schema.ts'

type Options = { publicUrl?: string | undefined }

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  anyone: [],
  session: [{ bearer: [] }],
  reset: [{ bearer: [] }],
  'device-key': [{ deviceKey: [] }],
  // of no call that is described
  director: [],
}

/** Describes every route that answers a call of the contract, from the contract. Register before the routes. */
async function openapi(app: FastifyInstance, { publicUrl }: Options): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Frostline', version: '1', description: ABOUT },
      servers: [
        { url: '/', description: 'This server' },
        ...(publicUrl === undefined ? [] : [{ url: publicUrl, description: 'By its public address' }]),
      ],
      tags: CALL_SUBJECTS.map(({ name, description }) => ({ name, description })),
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
      return { url, schema: isShown ? descriptionOf(name) : { hide: true } }
    },
    transformObject: (described) => withExamples(withComponents(described)),
  })
}

function descriptionOf(name: CallName): FastifySchema {
  const call: Call = CALLS[name]
  const subject = CALL_SUBJECTS.find(({ calls }) => name in calls)
  return {
    operationId: name,
    tags: [subject?.name],
    summary: call.summary,
    security: call.takesKey ? [...SECURITY[call.access], ...SECURITY['device-key']] : SECURITY[call.access],
    ...(call.params && { params: jsonSchema(call.params, 'written') }),
    ...(call.query && { querystring: jsonSchema(call.query, 'written') }),
    ...(call.body && { body: jsonSchema(call.body, 'written') }),
    ...(call.takesFile && { consumes: ['multipart/form-data'], body: FILE }),
    ...headersOf(call),
    response: {
      [call.status ?? 200]: call.media
        ? { description: 'Done', content: { [call.media]: { schema: { type: 'string', format: 'binary' } } } }
        : { description: 'Done', ...(call.versioned && { headers: ETAG }), ...jsonSchema(call.answer) },
      ...(call.versioned && call.method !== 'GET' && { 412: CONFLICT }),
      '4xx': { description: 'Refused', ...REFUSAL },
    },
  } as FastifySchema
}

const ABOUT = `Fleet and cold-chain monitoring.

Other systems send readings and follow events with a key of their company in \`x-device-key\`. People sign in (\`login\`) and show the
access token as \`Authorization: Bearer …\`; what they cannot see answers 404. Times are ISO 8601 or epoch milliseconds; temperatures
°C, humidity %, speeds km/h. A command that had no answer is sent again with the \`Idempotency-Key\` it had: it is done once. A refusal is \`{ code, message }\`, and the message says where in the request the fault is.`

/** What a description of the whole looks like, as far as it is changed here. */
type Described = Record<string, unknown> & {
  components?: { schemas?: Record<string, unknown> }
  paths?: Record<string, Record<string, Operation>>
}
type Content = { content?: Record<string, { examples?: Record<string, object> }> }
type Operation = {
  operationId?: string
  parameters?: { in: string; name: string; example?: unknown }[]
  requestBody?: Content
  responses?: Record<string, Content>
}

function withComponents(given: object): Described {
  const described = ('openapiObject' in given ? given.openapiObject : given) as Described
  const { components } = described
  return {
    ...described,
    components: { ...components, schemas: { ...components?.schemas, ...componentSchemas() } },
  }
}

/** Puts each example to its request and its answer. */
function withExamples(described: Described): Described {
  const operations = Object.values(described.paths ?? {}).flatMap((path) => Object.values(path))
  for (const example of EXAMPLES) {
    const operation = operations.find(({ operationId }) => operationId === example.call)
    if (operation !== undefined) addExample(operation, example)
  }
  return described
}

function addExample(operation: Operation, { title, query = {}, body, status, answer }: CallExample): void {
  for (const parameter of operation.parameters ?? [])
    if (parameter.in === 'query' && parameter.name in query) parameter.example = query[parameter.name]
  put(operation.requestBody, title, body)
  put(operation.responses?.[String(status)] ?? operation.responses?.[`${String(status)[0]}XX`], title, answer)
}

function put(part: Content | undefined, title: string, value: unknown): void {
  const json = part?.content?.['application/json']
  if (json !== undefined && value !== undefined) json.examples = { ...json.examples, [title]: { value } }
}

const FILE = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary' } },
  required: ['file'],
}
/** Headers a call takes besides those of who calls. */
function headersOf(call: Call): { headers?: object } {
  const properties = {
    ...(call.versioned && call.method !== 'GET' && { 'if-match': IF_MATCH }),
    ...(takesIdempotencyKey(call) && { 'idempotency-key': IDEMPOTENCY_KEY }),
  }
  return Object.keys(properties).length === 0 ? {} : { headers: { type: 'object', properties } }
}

const IF_MATCH = { type: 'string', description: 'The version that is changed, as its ETag; left out: any' }
const idempotencyKey: AnyStruct = IdempotencyKey
const IDEMPOTENCY_KEY = {
  ...jsonSchema(idempotencyKey, 'written'),
  description:
    'Names this command, e.g. a UUID. Sent again by the same user with the same key within 24 hours, it is not done again and answered as it was (`idempotency-replayed: true`); with another content it is refused with 422. What is refused, or changes nothing, is not kept',
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
