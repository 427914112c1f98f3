import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { API_PREFIX, type Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import { type ContractError, decode } from '#machines/contracts/decode.ts'
import { ANSWERED, type Answered } from '../testing/gate/answered.ts'
import { type GateServer, openGateServer } from '../testing/gate/gate-app.ts'
import { badTexts, malformedBodies, readBody, type Sent } from '../testing/gate/malformed.ts'
import { malformedForms } from '../testing/gate/malformed-forms.ts'
import { requestOf } from '../testing/gate/requests.ts'

/** A thread for each would be a tenth of what this file costs: load-routes.test.ts sees what is drawn. */
vi.mock('../../server/jobs/reports/draw-load-book.ts', () => ({ drawLoadBook: async () => Uint8Array.of(1) }))

const BODIES = inject('isNightly') ? 500 : 50
/** There is less that can be wrong with a path or a query, and one reader of them for all routes. */
const ADDRESSES = inject('isNightly') ? 150 : 25

const calls = new Map<string, Call>(
  Object.values(CALLS).map((call: Call) => [
    `${call.method} ${API_PREFIX}${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    call,
  ]),
)

let server: GateServer
/** something may have changed in it: the next test begins in another */
let isUsed = false
const enter = async () => {
  await server?.close()
  server = await openGateServer()
}
beforeEach(async () => {
  if (isUsed) await enter()
  isUsed = true
})
afterAll(() => server.close())

const rightRequest = (route: string) =>
  requestOf(server, (ANSWERED.get(route) as Answered).row, 'top', 'parent')

/** Sends what is wrong, and sees what must hold of every answer. */
async function send(request: InjectOptions): Promise<LightMyRequestResponse> {
  const before = server.store.log.head()
  const response = await server.app.inject(request)
  const { statusCode } = response
  expect(statusCode).toBeLessThan(500)
  if (statusCode < 400) {
    if (server.store.log.head() !== before) await enter()
    return response
  }
  expect(response.json()).toMatchObject({ code: statusCode, message: expect.stringMatching(/./) })
  expect(server.store.log.head()).toBe(before)
  return response
}

/** What a contract finds wrong; undefined where it finds nothing. */
function faultOf(value: unknown, struct: Call['body']): ContractError | undefined {
  if (struct === undefined) return undefined
  try {
    decode(value, struct)
    return undefined
  } catch (error) {
    return error as ContractError
  }
}

async function stillAnswers(route: string): Promise<void> {
  expect((await server.app.inject('/healthz')).statusCode).toBe(200)
  const before = server.store.log.head()
  expect((await server.app.inject(rightRequest(route))).statusCode).toBeLessThan(400)
  isUsed = !route.startsWith('GET ') || server.store.log.head() !== before
}

// the table and this file read the routes from the same place: authorization.test.ts sees that none is missing
const routes = await (async () => {
  server = await openGateServer()
  return [...ANSWERED]
    .flatMap(([route, { who }]) => (who === 'top' ? [route] : []))
    .map((route) => ({
      route,
      hasBody: 'payload' in rightRequest(route),
      call: calls.get(route),
    }))
})()

describe('a body in which something is wrong is refused, saying where, and changes nothing', () => {
  test.each(routes.filter(({ hasBody }) => hasBody))('$route', async ({ route, call }) => {
    const right = rightRequest(route)
    const type = String((right.headers as Record<string, unknown>)['content-type'])
    const isForm = Buffer.isBuffer(right.payload)
    const isWrong = (sent: Sent) => {
      const body = readBody(sent)
      return body === undefined || call === undefined || faultOf(body.value, call.body) !== undefined
    }
    const spoilt = Buffer.isBuffer(right.payload)
      ? malformedForms(right.payload, type)
      : malformedBodies(right.payload).filter(isWrong)
    await fc.assert(
      fc.asyncProperty(spoilt, async (sent) => {
        const headers = { ...right.headers, ...sent.headers }
        // each from an address of its own: how often one may ask is no part of this
        const { remoteAddress } = rightRequest(route)
        const response = await send({ ...right, remoteAddress, headers, payload: sent.payload })
        if (call === undefined || isForm) return
        expect([400, 413, 415]).toContain(response.statusCode)
        // nobody reads what is too large
        if (response.statusCode === 413) return
        const body = readBody(sent)
        const fault = body && faultOf(body.value, call.body)
        if (fault === undefined) return
        const path = fault.path === '' ? 'the value itself' : fault.path
        expect(response.json().message).toContain(`at ${path}: `)
      }),
      { numRuns: BODIES, endOnFailure: true },
    )
    await stillAnswers(route)
  })
})

describe('a path or a query in which something is wrong is refused, saying where', () => {
  const requested = routes.filter(({ route }) => !route.startsWith('/*') && !route.endsWith('/*'))
  test.each(requested.filter(({ hasBody }) => !hasBody))('$route', async ({ route, call }) => {
    const [, path = ''] = route.split(' ')
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
    const right = rightRequest(route)
    const [rightPath = '', search = ''] = right.url.split('?')
    const queried = [...new URLSearchParams(search).keys()]
    const wrong = fc
      .record({
        where: fc.constantFrom(...names.map((name) => `:${name}`), ...queried, 'another'),
        text: badTexts,
        isRaw: fc.boolean(),
        isTwice: fc.boolean(),
      })
      .map((made) => ({ ...made, [fc.toStringMethod]: () => JSON.stringify(made).slice(0, 300) }))
    await fc.assert(
      fc.asyncProperty(wrong, async ({ where, text, isRaw, isTwice }) => {
        // what cannot be sent in a request line is not sent raw
        const written =
          isRaw && /^[!-"$-.0->@-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed())
        const url = where.startsWith(':')
          ? withParam(path, rightPath, where, written)
          : withQuery(rightPath, search, where, written, isTwice)
        const response = await send({ ...rightRequest(route), url })
        // `.` and `..` are steps of a path
        const isMeant =
          where.startsWith(':') && !/^\.{0,2}$/.test(written) && !isRaw && written.length <= 1024
        if (!isMeant || call?.params === undefined) return
        const fault = faultOf({ [where.slice(1)]: text }, call.params)
        if (fault?.path === where.slice(1))
          expect(response.json().message).toContain(`path: at ${fault.path}: `)
      }),
      { numRuns: names.length + queried.length === 0 ? 25 : ADDRESSES, endOnFailure: true },
    )
    await stillAnswers(route)
  })
})

function withParam(pattern: string, path: string, where: string, written: string): string {
  const parts = path.split('/')
  const at = pattern.split('/').indexOf(where)
  return parts.map((part, i) => (i === at ? written : part)).join('/')
}

function withQuery(path: string, search: string, name: string, written: string, isTwice: boolean): string {
  const others = search.split('&').filter((pair) => pair !== '' && (isTwice || pair.split('=')[0] !== name))
  return `${path}?${[...others, `${name}=${written}`].join('&')}`
}
