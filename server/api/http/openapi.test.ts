import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PREFIX, type Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import { type CallExample, EXAMPLE_IMEI, EXAMPLE_KEY, EXAMPLES } from '#machines/contracts/examples.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { DEVICE_KEY } from '../../commands/testing/company-facts.ts'
import { device, deviceKey, violationOpened } from '../../testing/facts.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

type Json = { [key: string]: Json } & Json[]

/** When the examples are sent. */
const NOW = Date.parse('2026-03-01T09:00:00.000Z')
let server: TestServer
let described: Json
let ajv: Ajv2020
beforeAll(async () => {
  server = await buildTestServer({
    simulator: false,
    publicUrl: 'https://portal.example',
    facts: [deviceKey('indus', DEVICE_KEY), device(9, EXAMPLE_IMEI, 'indus', 'lahore')],
  })
  server.clock.at = NOW
  described = (await server.app.inject('/api/openapi.json')).json()
  ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'api', ...described })
})
afterAll(() => server.close())

const operationOf = (name: keyof typeof CALLS): Json => {
  const { path, method }: Call = CALLS[name]
  return described.paths?.[`${API_PREFIX}${path}`]?.[method.toLowerCase()] as Json
}

/** The place of a schema in the description, as `$ref` names it. */
const pointer = (...steps: string[]): string =>
  `api#/${steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`

describe('the description of the API', () => {
  test('has a server, subjects, and for each call a name of its own and a subject', () => {
    expect(described.servers?.map(({ url }) => url)).toEqual(['/', 'https://portal.example'])
    const operations = Object.values(described.paths ?? {}).flatMap((path) => Object.values(path)) as Json[]
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    expect([...names].sort()).toEqual(Object.keys(CALLS).sort())
    const subjects = described.tags?.map(({ name }) => name)
    for (const { tags, summary } of operations) {
      expect(subjects).toContain(tags?.[0])
      expect(summary).not.toBe('')
    }
  })

  test('every $ref leads somewhere, and no schema of a call says nothing', () => {
    const refs: string[] = []
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if ('$ref' in value) refs.push(String(value.$ref))
      for (const inner of Object.values(value)) walk(inner)
    }
    walk(described)
    expect(new Set(refs)).toEqual(
      new Set(
        ['Group', 'GroupNode', 'GroupVehicles', 'IngestReading', 'Event'].map(
          (name) => `#/components/schemas/${name}`,
        ),
      ),
    )
    for (const ref of refs) expect(described.components?.schemas?.[ref.split('/').at(-1) ?? '']).toBeDefined()
  })

  test('says all of a reading, and of groups in groups', () => {
    const { schemas } = described.components as Json
    expect(Object.keys(schemas?.IngestReading?.properties ?? {})).toContain('External_Voltage')
    expect(schemas?.IngestReading?.required).toEqual(['imei', 'at'])
    const isGroup = ajv.compile({ $ref: pointer('components', 'schemas', 'GroupNode') })
    const nested = (depth: number): object => ({
      _id: 'g',
      name: 'G',
      child: depth === 0 ? [{ _id: 'g' }] : [nested(depth - 1)],
    })
    expect(isGroup(nested(12))).toBe(false)
    expect(isGroup.errors?.[0]?.instancePath).toBe('/child/0'.repeat(13))
  })
})

describe('the reference of the API', () => {
  test('is a page whose scripts are files of this server, under the content policy of the portal but for its markup and styles', async () => {
    const portal = await server.app.inject('/api/time')
    const page = await server.app.inject('/docs/api/')
    expect(page.statusCode).toBe(200)
    const others = (policy: unknown): string[] =>
      String(policy)
        .split(';')
        .filter((directive) => !/^(style-src|require-trusted-types-for|trusted-types) /.test(directive))
    const [own, portals] = [page, portal].map(({ headers }) => others(headers['content-security-policy']))
    expect(own).toEqual(portals)
    expect(own).toContain("script-src 'self'")
    const files = Array.from(page.body.matchAll(/(?:src|href)="([^"]+)"/g), ([, file = '']) => file)
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) {
      const url = new URL(file, 'http://server/docs/api/')
      expect(url.host, file).toBe('server')
      expect((await server.app.inject(url.pathname)).statusCode, file).toBe(200)
    }
    expect(page.body.replaceAll(/<script src="[^"]+"[^>]*> *<\/script>/g, '')).not.toContain('<script')
  })

  test('shows the description that is served, found by the way with a slash or without', async () => {
    expect((await server.app.inject('/docs/api/json')).json()).toMatchObject({ paths: described.paths })
    const { statusCode, headers } = await server.app.inject('/docs/api')
    expect(statusCode === 200 || headers.location?.toString().endsWith('/docs/api/')).toBe(true)
  })
})

describe('an example', () => {
  test.each(EXAMPLES.map((one) => [one.call, one.title, one] as const))(
    '%s: %s',
    async (_, title, example) => {
      const { call, status, body } = example
      const operation = operationOf(call)
      if (body !== undefined) {
        const place = pointer('paths', `${API_PREFIX}${CALLS[call].path}`, CALLS[call].method.toLowerCase())
        const fits = ajv.compile({ $ref: `${place}/requestBody/content/application~1json/schema` })
        expect(fits(body), JSON.stringify(fits.errors)).toBe(true)
        expect(operation.requestBody?.content?.['application/json']?.examples?.[title]).toEqual({
          value: body,
        })
      }
      const documented = (operation.responses?.[String(status)] ?? operation.responses?.['4XX']) as Json
      const { schema, examples } = (documented.content?.['application/json'] ?? {}) as Json
      expect(examples?.[title]).toEqual({ value: example.answer })

      const { answer, statusCode } = await sent(example)
      expect([statusCode, answer]).toEqual([status, example.answer])
      const fits = ajv.compile({ ...schema, components: described.components })
      expect(fits(answer), JSON.stringify(fits.errors)).toBe(true)
    },
  )
})

/** Sends it; what happened before is told as if it had the numbers of the example. */
async function sent({ call, headers, params, query, body }: CallExample) {
  const shift = query?.after === undefined ? 0 : (await happened()) - Number(query.after)
  const requested = { ...query, ...(query?.after !== undefined && { after: Number(query.after) + shift }) }
  const { statusCode, body: text } = await server.ask(call, {
    ...(headers && { headers: withKeyOfIndus(headers) }),
    ...(params && { params }),
    ...(query && { query: requested }),
    ...(body !== undefined && { body }),
  })
  const answer = JSON.parse(text, (key, value) =>
    (key === 'seq' || key === 'next') && typeof value === 'number' ? value - shift : value,
  )
  return { statusCode, answer }
}

/** The key of the examples is the company's. */
const withKeyOfIndus = (headers: Record<string, string>): Record<string, string> =>
  headers['x-device-key'] === EXAMPLE_KEY ? { ...headers, 'x-device-key': DEVICE_KEY } : headers

/** Three facts of the company of the examples; answers the position before them. */
async function happened(): Promise<number> {
  const before = server.store.log.head()
  const place = { lat: 31.5204, lng: 74.3587 }
  const status: NewFact = {
    type: 'device-status.changed',
    at: Date.parse('2026-03-01T08:41:00.000Z'),
    companyId: 'indus',
    data: { imei: EXAMPLE_IMEI, from: 'offline', to: 'online', ...place },
  }
  const openedAt = Date.parse('2026-03-01T08:52:00.000Z')
  const opened = violationOpened(
    EXAMPLE_IMEI,
    openedAt,
    {
      violationId: 'v1',
      type: 'HIGH_TEMPERATURE_DETECTED',
      threshold: 8,
      delaySeconds: 60,
      since: openedAt - 60_000,
      value: 9.4,
      ...place,
    },
    'indus',
  )
  await server.store.log.append(`device-${EXAMPLE_IMEI}`, [status, opened, { ...status, at: openedAt }])
  return before
}
