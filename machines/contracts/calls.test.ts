import fc from 'fast-check'
import { Struct } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { BODY_BYTES, type Call, urlOf } from './calls/call.ts'
import { SIM_CALLS } from './calls/sim-calls.ts'
import { CALLS } from './calls.ts'
import { ContractError, decode, decodeJson } from './decode.ts'

const table = Object.entries({ ...CALLS, ...SIM_CALLS }) as [string, Call][]

describe('the table of calls', () => {
  test('names every path parameter in `params`, and no other', () => {
    for (const [name, call] of table) {
      const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1])
      expect(Object.keys((call.params?.schema as object | undefined) ?? {}), name).toEqual(inPath)
    }
  })

  test('has one call a method and path', () => {
    const shapes = table.map(
      ([, call]) => `${call.method} ${call.under ?? ''}${call.path.replaceAll(/\{\w+\}/g, '{}')}`,
    )
    expect(shapes.filter((shape, i) => shapes.indexOf(shape) !== i)).toEqual([])
  })

  test('writes a request that the server reads back the same', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.option(fc.nat(), { nil: undefined }),
        (startDate, endDate, maxPoints) => {
          const call = CALLS.observations
          const query = { data: { startDate, endDate }, ...(maxPoints === undefined ? {} : { maxPoints }) }
          const url = new URL(urlOf(call, { imei: '356307042441013' }, query), 'http://host')
          expect(url.pathname).toBe('/api/things/356307042441013/observations')
          expect(decode(Object.fromEntries(url.searchParams), call.query)).toEqual(query)
        },
      ),
    )
  })

  test('escapes what stands in a path and refuses to write one that lacks a parameter', () => {
    expect(urlOf(CALLS.checkLinkValidity, { token: 'a/b?c' })).toBe('/api/auth/checkLinkValidity/a%2Fb%3Fc')
    expect(() => urlOf(CALLS.user, {})).toThrow(RangeError)
  })
})

/** Each list in a body, by its path. */
function listsIn(struct: Struct<unknown>, path: string): [string, Struct<unknown>][] {
  if (struct.type === 'array') return [[path, struct]]
  if (struct.type !== 'object') return []
  return Object.entries(struct.schema as Record<string, Struct<unknown>>).flatMap(([name, field]) =>
    listsIn(field, `${path}.${name}`),
  )
}

describe('a list in a large body', () => {
  const lists = table.flatMap(([name, { body, bodyBytes = 0 }]) =>
    body !== undefined && bodyBytes > BODY_BYTES ? listsIn(body, name) : [],
  )

  test.each(lists)('%s: one that is too long is refused before anything in it is looked at', (_, list) => {
    const looked: PropertyKey[] = []
    const endless = new Proxy([], {
      get: (_, key) => (key === 'length' ? 200_001 : looked.push(key) && undefined),
    })
    const [error] = list.validate(endless)
    expect(looked).toEqual([])
    expect(error?.value === endless).toBe(true)
  })

  test('of types is as long as there are types at most', () => {
    const ofTypes = lists.filter(([, { schema }]) => schema instanceof Struct && schema.type === 'enums')
    expect(ofTypes.length).toBeGreaterThan(4)
    for (const [path, list] of ofTypes) {
      const all = Object.values((list.schema as Struct<string, Record<string, string>>).schema)
      expect(list.is(all), path).toBe(true)
      expect(list.is([...all, ...all.slice(0, 1)]), path).toBe(false)
    }
  })
})

describe('a border', () => {
  const structs = table.flatMap(([name, call]) =>
    (['params', 'query', 'body', 'answer'] as const).flatMap((part) => {
      const struct = call[part] as Struct<unknown> | undefined
      return struct === undefined ? [] : [[`${name} ${part}`, struct] as const]
    }),
  )

  test.each(structs)('%s: whatever comes, only a ContractError is thrown', (name, struct) => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (value) => {
        try {
          decode(value, struct, name)
        } catch (error) {
          expect(error).toBeInstanceOf(ContractError)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('text that is no JSON is a ContractError too', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          decodeJson(text, CALLS.login.body)
        } catch (error) {
          expect(error).toBeInstanceOf(ContractError)
        }
      }),
    )
  })
})
