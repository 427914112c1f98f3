import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { DESCRIPTIONS, scenarioSchema, scenarioSchemaPlugin, scenarioSchemaText } from './scenario-schema.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url))
const read = (file: string): string => readFileSync(`${fixtures}${file}`, 'utf8')
const files = readdirSync(`${fixtures}scenarios`)
const scenarios = files.map((file) => JSON.parse(read(`scenarios/${file}`)))
const ajv = new Ajv2020({
  allErrors: true,
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
})
const validate = ajv.compile(scenarioSchema())

describe('the schema of scenario files', () => {
  test('in the tree is that of the contract (else: npx node tools/scenarios/write-schema.ts)', () => {
    expect(read('scenario.schema.json')).toBe(scenarioSchemaText())
  })

  test('is what the app publishes, in its own media type', async () => {
    const app = Fastify()
    await app.register(scenarioSchemaPlugin)
    const { headers, payload } = await app.inject('/sim/scenario.schema.json')
    expect([headers['content-type'], payload]).toEqual([
      'application/schema+json; charset=utf-8',
      scenarioSchemaText(),
    ])
    await app.close()
  })

  test.each(files)('accepts %s, which names it', (file) => {
    const scenario = JSON.parse(read(`scenarios/${file}`))
    expect(scenario.$schema).toBe('../scenario.schema.json')
    validate(scenario)
    expect(validate.errors).toBeNull()
  })

  test('describes fields that there are', () => {
    const text = scenarioSchemaText()
    const missing = Object.values(DESCRIPTIONS).filter(
      (description) => !text.includes(JSON.stringify(description)),
    )
    expect(missing).toEqual([])
  })

  test('refuses a file with any one value replaced by what it cannot be, or a field that is not known', () => {
    const places = scenarios.flatMap((scenario) => leavesOf(scenario).map((path) => ({ scenario, path })))
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom({}, [[]], null),
        ({ scenario, path }, value) => {
          const broken = structuredClone(scenario)
          const [holder, name] = holderOf(broken, path)
          // some may be null; nothing may be an object where a value was
          const wrong = value === null ? { nothing: 1 } : value
          holder[name] = wrong
          expect(validate(broken)).toBe(false)
          const widened = structuredClone(scenario)
          const [around] = holderOf(widened, path)
          if (!Array.isArray(around)) {
            around.fieldNobodyKnows = 1
            expect(validate(widened)).toBe(false)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

type Holder = Record<string | number, unknown>

/** Paths of all values that hold no others. */
function leavesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [path]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
}

function holderOf(value: unknown, path: (string | number)[]): [Holder, string | number] {
  const holder = path.slice(0, -1).reduce((at, name) => (at as Holder)[name], value)
  return [holder as Holder, path.at(-1) as string | number]
}
