import fc from 'fast-check'
import { array, create, is, object, type Struct, size, string } from 'superstruct'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ContractError, decode } from './decode.ts'
import { Email, Id, Imei, ImeiOrAll, instantOf, listOf, WritableInstant } from './scalars.ts'

const outcome = <T, S>(value: unknown, struct: Struct<T, S>): unknown => {
  try {
    return decode(value, struct)
  } catch (error) {
    if (error instanceof ContractError) return error.message
    throw error
  }
}

test.each([
  ['IMEIs', Imei, /^\d{14,17}$/],
  ['IMEIs and all', ImeiOrAll, /^(\d{14,17}|ALL)$/],
  ['ids', Id, /^[\w-]{1,64}$/],
  ['texts', string(), /^.*$/],
])('a list of %s is taken and refused as one that is looked at one by one', (_, each, like) => {
  const slow = object({ things: size(array(each), 1, 5) })
  const quick = object({ things: listOf(each, 5, 1) })
  const right = fc.stringMatching(like)
  const one = fc.oneof({ weight: 5, arbitrary: right }, fc.constantFrom('', '12', '1\n', 7, null, {}, ['1']))
  const things = fc.oneof(fc.array(one, { maxLength: 5 }), fc.array(right, { maxLength: 7 }), one)
  fc.assert(
    fc.property(things, (list) => {
      expect(outcome({ things: list }, quick)).toEqual(outcome({ things: list }, slow))
    }),
  )
})

test('a list that is too long is refused for that, whatever it holds', () => {
  expect(outcome({ things: ['12', '34'] }, object({ things: listOf(Imei, 1) }))).toContain(
    'at things: expected array',
  )
})

test.each(['UTC', 'Asia/Karachi'])('an instant without a zone is of UTC on a server in %s too', (zone) => {
  const before = process.env.TZ
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  process.env.TZ = zone
  for (const text of [
    '2026-06-15T04:00',
    '2026-06-15T04:00:00',
    '2026-06-15T04:00:00Z',
    '2026-06-15T09:00:00+05:00',
  ]) {
    expect(instantOf(text)).toBe(Date.UTC(2026, 5, 15, 4))
    expect(create(text, WritableInstant)).toBe('2026-06-15T04:00:00.000Z')
  }
  expect(create(Date.UTC(2026, 5, 15, 4), WritableInstant)).toBe('2026-06-15T04:00:00.000Z')
  for (const text of ['2026-02-31T04:00', '+012026-06-15T04:00:00Z', 'today'])
    expect(is(text, WritableInstant)).toBe(false)
})

describe('an address', () => {
  test.each([
    'ayesha@indus.example',
    "A.o'neil+night=1@sub.indus-cold.example",
    'ops@münchen.example',
    'zoë@हिन्दी.example',
  ])('%s is one', (address) => expect(is(address, Email)).toBe(true))

  test.each([
    ...[
      'me@gmail.com>',
      '<me@gmail.com',
      'me@"gmail.com"',
      '"me"@gmail.com',
      'a,me@gmail.com',
      'a;me@gmail.com',
    ],
    ...[
      '(x)me@gmail.com',
      'me@gmail.com(x)',
      'a:me@gmail.com',
      'm\\e@gmail.com',
      'me@[127.0.0.1]',
      'me@x@gmail.com',
    ],
    ...['me\u0000@gmail.com', 'me@g\u00admail.com', 'me\u200b@gmail.com', 'me@gmail.com.', 'me@gmail..com'],
    ...[
      'me@gmail',
      'me@gmail\u3002com',
      'me@gmail.com/',
      'me me@gmail.com',
      '@gmail.com',
      `${'a'.repeat(250)}@b.de`,
    ],
  ])('%j is none, or may be read as another', (address) => expect(is(address, Email)).toBe(false))
})
