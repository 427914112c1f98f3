import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IngestReading } from '#machines/contracts/calls/ingest-calls.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import { LATEST_INSTANT } from '#machines/contracts/scalars.ts'
import { plainReading } from './plain-reading.ts'

const whole = {
  imei: '352093024171000',
  at: Date.UTC(2026, 0, 15, 8),
  lat: 31.52,
  lng: 74.35,
  temperature: -18.4,
  temperature2: -17.9,
  humidity: 61.25,
  speed: 72.5,
  angle: 270,
  GSM_Signal: 4,
  GNSS_Status: 1,
  External_Voltage: 27.4,
  Battery_Voltage: 3.91,
  Ignition: 1,
  Unplug: 0,
}

test('what a gateway sends is plain, with every field or with the two it must have', () => {
  expect(Object.keys(whole)).toEqual(Object.keys(IngestReading.schema))
  expect(plainReading(whole)).toBe(whole)
  const least = { imei: whole.imei, at: whole.at }
  expect(plainReading(least)).toBe(least)
})

test('an instant as text and flags as booleans cost no look at the contract', () => {
  const sent = { ...whole, at: '2026-01-15T08:00:00Z', Ignition: true, Unplug: false }
  expect(plainReading(sent)).toEqual(whole)
  expect(sent.at).toBe('2026-01-15T08:00:00Z')
  expect(plainReading({ ...whole, at: 'yesterday' })).toBeUndefined()
  expect(plainReading({ ...whole, lat: true })).toBeUndefined()
})

const value = fc.oneof(
  fc.double(),
  fc.integer({ min: -401, max: 401 }),
  fc.constantFrom(
    undefined,
    null,
    true,
    false,
    '2026-01-15T08:00:00Z',
    '2026-01-15',
    '',
    '352093024171000',
    [],
    {},
  ),
  fc.constantFrom(whole.at, 65.5, -90, LATEST_INSTANT, LATEST_INSTANT + 1),
)
const names = [...Object.keys(whole), '__proto__', 'constructor', 'toString', 'device', '']
const changed = fc.dictionary(fc.constantFrom(...names), value).chain((changes) =>
  fc.subarray(Object.keys(whole)).map((left) =>
    Object.fromEntries([
      ...Object.entries(whole).filter(([name]) => !left.includes(name)),
      // an own field even where it is called __proto__, as JSON has it
      ...Object.entries(changes),
    ]),
  ),
)

test('what is plain is what the contract makes of it', () => {
  let plain = 0
  fc.assert(
    fc.property(fc.oneof(changed, fc.constantFrom(null, [], 'x', 7, [whole])), (sent) => {
      const reading = plainReading(sent)
      if (reading === undefined) return
      plain++
      expect(decode(sent, IngestReading)).toEqual(reading)
    }),
    { numRuns: 2000 },
  )
  expect(plain).toBeGreaterThan(10)
})

test('what the contract refuses is not plain', () => {
  fc.assert(
    fc.property(changed, (sent) => {
      try {
        decode(sent, IngestReading)
      } catch (error) {
        expect(error).toBeInstanceOf(ContractError)
        expect(plainReading(sent)).toBeUndefined()
      }
    }),
    { numRuns: 500 },
  )
})
