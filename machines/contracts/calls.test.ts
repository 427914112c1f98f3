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

  test('answers every call of the documents', () => {
    const documented = `
      POST /auth/login · POST /auth/activate/{token} · POST /auth/getUserByToken/{token} · POST /auth/checkLinkValidity/{token}
      POST /auth/set-password/{id}/{token} · POST /auth/set-password · POST /auth/forgot-password · POST /auth/confirm-user
      GET /auth/refresh-token · POST /auth/logout
      GET /groups/{groupId}/users · GET /users/{id} · PUT /users/{id} · DELETE /users/{id} · POST /users · POST /users/resendLink
      GET /users/{id}/notifications/settings · PUT /users/{id}/notifications/settings · PUT /users/updateSmsEmailSetting/{id}
      GET /groups/{groupId}/things · PUT /things/{imei} · GET /things/{imei}/observations · GET /groups/{groupId}/observations-latest
      GET /groups/{groupId}/subgroups · GET /groups/{id} · PUT /groups/{id} · DELETE /groups/{id} · PUT /groups/{id}/update
      PUT /groups/{id}/fatigue-threshold · POST /groups · GET /groups/company/{companyId} · GET /groups/{id}/vehicles/groups
      GET /groups/{id}/drivers/groups · GET /companies/{companyId}/drivingScoreSetting · PUT /companies/{companyId}/drivingScoreSetting
      POST /groups/{groupId}/notifications · POST /users/notifications/{id}/comments · GET /things/passengercheck/{thingId}/{isPassenger}
      GET /things/{imei}/observations-logs · GET /things/{id}/tempObservations-logs · POST /groups/{groupId}/violationstats
      POST /groups/{groupId}/summaryChart · GET /groups/{groupId}/company/{companyId}/reports · POST /groups/{groupId}/company/{companyId}/reports
      POST /groups/{groupId}/company/{companyId}/reports/observationReport · POST /groups/{groupId}/company/{companyId}/reports/distanceReport
      POST /groups/{groupId}/company/{companyId}/reports/powerReport · POST /groups/{groupId}/company/{companyId}/reports/generateTemperatureReport
      POST /reports/trips · GET /reports/logs/{companyId} · POST /groups/scheduleReport · PUT /groups/scheduleReport/{id}
      GET /groups/listScheduledReports/{companyId} · DELETE /groups/deleteScheduleReport/{id}
      POST /things/tripsChart/stats · GET /things/gdChart/stats/{id} · POST /things/fuel/stats · POST /ingest`
    const known = new Set(table.map(([, call]) => `${call.method} ${call.path}`))
    const missing = documented.split(/\n|·/).flatMap((line) => {
      const call = line.trim()
      return call === '' || known.has(call) ? [] : [call]
    })
    expect(missing).toEqual([])
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
