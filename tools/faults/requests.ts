import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { InjectOptions } from 'fastify'
import { START } from '../../server/api/http/testing/test-app.ts'
import { ANSWERED, UNANSWERED } from '../../simulator/testing/gate/answered.ts'
import { type GateServer, openGateServer } from '../../simulator/testing/gate/gate-app.ts'
import { requestOf } from '../../simulator/testing/gate/requests.ts'
import { HOME, IDS } from '../../simulator/testing/gate/who.ts'
import { say } from '../bench/figures.ts'
import { diceOf, type Fault } from './fault.ts'
import { createMake, type Json, type Schema } from './made-values.ts'

const EACH = 5000
const AT_ONCE = 16
/** Changes after which the server is opened anew, so that there is always something to ask for. */
const MOST_CHANGES = 200
/** A time somebody sent for a name, and which is not known `at` its place, has colons and numbers too. */
const STACK = /\bat [^"]*(?:\.[cm]?[jt]sx?|node:[\w/]+|<anonymous>):\d+:\d+|node_modules|\.ts:\d+|Error:/

/** Seconds a call is to wait for something to happen: nothing would, and it would do so. */
const WAIT = 'wait'

type Components = { schemas: Record<string, Schema> }
type Operation = {
  parameters?: { in: string; name: string; schema: Schema; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export const requests: Fault = {
  name: 'requests',
  what: `every route of the OpenAPI document, ${say(EACH)} generated bodies and queries each`,
  mustHold: '0 × 5xx, no stack in an answer, every answer true to its schema',
  quick: 0.005,
  async run({ times, seed }) {
    const dice = diceOf(seed)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T
    let server = await openGateServer()
    const document = (await server.app.inject('/api/openapi.json')).json() as {
      components: Components
      paths: Record<string, Record<string, Operation>>
    }
    const make = createMake(dice, KNOWN, document.components.schemas)
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
    const lost = new Set<string>()
    const count = { routes: 0, requests: 0, answered: 0 }

    for (const [path, methods] of Object.entries(document.paths))
      for (const [verb, operation] of Object.entries(methods)) {
        const route = `${verb.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
        const answered = ANSWERED.get(route) ?? UNANSWERED.get(route)
        if (answered === undefined) {
          lost.add(`${route}: the gate table does not know it`)
          continue
        }
        await server.close()
        server = await openGateServer()
        count.routes++
        const checks = checksOf(ajv, operation, document.components)
        let changes = 0
        const { row, who, whose } = answered
        const askers = [who, who, who, who, 'top', 'child', 'other', 'admin', 'nobody'] as const
        const made = (): InjectOptions => {
          const right = requestOf(server, row, pick(askers), whose)
          return generated({ path, operation, right, make, dice })
        }
        const first = await server.app.inject(requestOf(server, row, who, whose))
        if (first.statusCode >= 300 && ANSWERED.has(route))
          lost.add(`${route}: the right request is answered ${first.statusCode}`)
        for (let left = times(EACH); left > 0; left -= AT_ONCE) {
          const batch = Array.from({ length: Math.min(left, AT_ONCE) }, made)
          const answers = await Promise.all(batch.map((request) => server.app.inject(request)))
          for (const answer of answers) {
            count.requests++
            if (answer.statusCode < 300) count.answered++
            if (answer.statusCode < 300 && verb !== 'get') changes++
            const fault = faultOf(
              answer.statusCode,
              String(answer.headers['content-type'] ?? ''),
              answer.body,
              checks,
            )
            if (fault !== undefined) lost.add(`${route}: ${fault}`)
          }
          if (changes > MOST_CHANGES || (changes > 0 && !(await isWhole(server)))) {
            await server.close()
            server = await openGateServer()
            changes = 0
          }
        }
      }
    await server.close()
    return {
      tried: `${count.routes} routes, ${say(count.requests)} requests, ${say(count.answered)} of them answered as asked`,
      lost: [...lost],
    }
  },
}

/** What there is in the server, for values that hit something. */
const KNOWN: readonly string[] = [
  ...[...Object.values(IDS), ...Object.values(HOME)].flatMap((ids) => Object.values(ids)),
  ...[START, START - 3_600_000].flatMap((at) => [String(at), new Date(at).toISOString()]),
]

async function isWhole(server: GateServer): Promise<boolean> {
  for (const who of ['top', 'child'] as const) {
    const headers = { authorization: `Bearer ${server.badge(who).token}` }
    if ((await server.app.inject({ url: '/api/auth/me', headers })).statusCode !== 200) return false
  }
  return true
}

type Generating = {
  path: string
  operation: Operation
  right: InjectOptions
  make: (schema: Schema, name: string) => Json
  dice: () => number
}

/** A request as the document describes it: its values made up, or some of them those of one that is right. */
function generated({ path, operation, right, make, dice }: Generating): InjectOptions {
  const parameters = operation.parameters ?? []
  const [rightPath = '', rightSearch = ''] = String(right.url).split('?')
  const rightParts = rightPath.split('/')
  const written = path.split('/').map((part, i) => {
    const parameter = parameters.find(({ in: where, name }) => where === 'path' && part === `{${name}}`)
    if (parameter === undefined || dice() < 0.7) return rightParts[i] ?? ''
    return encodeURIComponent(asText(make(parameter.schema, parameter.name))) || 'x'
  })
  const search = new URLSearchParams(dice() < 0.5 ? rightSearch : '')
  for (const { in: where, name, schema, required } of parameters) {
    if (where !== 'query' || name === WAIT || (search.has(name) && dice() < 0.5)) continue
    if (required === true ? dice() < 0.95 : dice() < 0.5) search.set(name, asText(make(schema, name)))
  }
  const url = `${written.join('/')}${search.size > 0 ? `?${search}` : ''}`
  const schema = operation.requestBody?.content['application/json']?.schema
  if (schema === undefined) return { ...right, url }
  const made = make(schema, 'body')
  const isMixed = dice() < 0.5 && isObject(made) && isObject(right.payload)
  // half of what is made up stays, so that what is wrong is one thing rather than everything
  const some = isMixed ? Object.entries(made as object).filter(() => dice() < 0.4) : []
  const body = isMixed ? { ...(right.payload as object), ...Object.fromEntries(some) } : made
  return {
    ...right,
    url,
    headers: { ...right.headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
const asText = (value: Json): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()

type Checks = { of(status: number): ValidateFunction | 'no JSON' | undefined }

function checksOf(ajv: Ajv2020, { responses }: Operation, components: Components): Checks {
  const known = new Map<string, ValidateFunction | 'no JSON'>()
  for (const [status, { content }] of Object.entries(responses)) {
    const schema = content?.['application/json']?.schema
    known.set(status.toUpperCase(), schema === undefined ? 'no JSON' : ajv.compile({ ...schema, components }))
  }
  return { of: (status) => known.get(String(status)) ?? known.get(`${Math.floor(status / 100)}XX`) }
}

function faultOf(status: number, type: string, text: string, checks: Checks): string | undefined {
  if (status >= 500) return `answered ${status} ${text.slice(0, 200)}`
  const check = checks.of(status)
  if (check === undefined) return `answered ${status}, which the document does not know`
  if (check === 'no JSON') return undefined
  if (STACK.test(status >= 400 ? text : '')) return `tells of its inside: ${text.slice(0, 200)}`
  if (!type.includes('json')) return `answered ${status} as ${type}`
  if (check(JSON.parse(text))) return undefined
  const [error] = check.errors ?? []
  return `answered ${status} with ${error?.instancePath} that ${error?.message}`
}
