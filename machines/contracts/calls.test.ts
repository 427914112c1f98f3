import fc from 'fast-check'
import type { Struct } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { type Call, urlOf } from './calls/call.ts'
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
