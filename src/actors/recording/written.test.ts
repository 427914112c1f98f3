import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPassword } from '#machines/rules/password.ts'
import { createSecrets } from './secrets.ts'
import { MOST_ITEMS, revived, written } from './written.ts'

const NAMES = [
  'password',
  'confirmPassword',
  'accessToken',
  'access_token',
  'refreshToken',
  'token',
  'code',
  'confirmCode',
  'pin',
  'cookie',
  'Set-Cookie',
  'Authorization',
  'auth',
  'apiKey',
  'api_key',
  'key',
  'identityId',
  'link',
  'reset',
  'clientSecret',
]

/** Nothing that a simulated world would hold by chance. */
const secretText = fc
  .string({ minLength: 6, maxLength: 24, unit: fc.constantFrom(...'abcXYZ019!"\\/{}%é\u{1F511} ') })
  .map((text) => `§${text.trim()}§${text.length}`)

/** Things that hold a secret in one of the ways there are. */
const holding = (secret: string) =>
  fc.oneof(
    fc.constantFrom(...NAMES).map((name): unknown => ({ [name]: secret })),
    fc.constantFrom(...NAMES).map((name): unknown => ({ [name]: { deep: [1, { deeper: secret }] } })),
    fc.constantFrom(...NAMES).map((name): unknown => new Map([[name, [secret]]])),
    fc.constantFrom(...NAMES).map((name): unknown => [name, secret]),
    fc.constantFrom('password', 'code', 'token').map((field): unknown => ({ field, value: secret })),
    fc
      .constantFrom(...NAMES)
      .map((name): unknown => Object.assign(new Error(`refused: ${secret}`), { body: { [name]: secret } })),
    // said before it is known
    fc.constantFrom(...NAMES).map((name): unknown => ({ note: `it was ${secret}.`, [name]: secret })),
    fc.constantFrom(...NAMES).map((name): unknown => ({ [secret]: true, [name]: secret })),
    fc.constantFrom(...NAMES).map((name): unknown => ({ all: new Set([{ [name]: secret }]) })),
  )

/** Around it, as deep as it goes. */
const around = (inner: unknown) =>
  fc
    .array(fc.tuple(fc.constantFrom('a', 'data', 'event', 'list'), fc.jsonValue({ maxDepth: 2 })), {
      maxLength: 6,
    })
    .map((levels) =>
      levels.reduce<unknown>((held, [name, beside]) => ({ beside, [name]: [held, beside] }), inner),
    )

const planted = secretText.chain((secret) =>
  holding(secret)
    .chain((held) => around(held))
    .map((value) => ({ secret, value })),
)

/** Every text in a value, names too. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(texts)]
}

describe('no secret is written', () => {
  test('whatever it goes by, wherever it is, and wherever it turns up later', () => {
    fc.assert(
      fc.property(planted, fc.string(), ({ secret, value }, around) => {
        const secrets = createSecrets()
        const kept = [
          written(value, secrets),
          written({ text: `${around} ${secret} ${around}`, path: `/x/${secret}` }, secrets),
        ]
        expect(texts(kept).filter((text) => text.includes(secret))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  test.each([
    ['GET /user/activate/AbC-123_def failed', 'AbC-123_def'],
    ['/set-password/user-1/4fe01', '4fe01'],
    ['https://frostline.example/adminLogin?accessToken=aa.bb&userId=7', 'aa.bb'],
    ['authorization: Bearer abc.def-1', 'abc.def-1'],
    ['it said {"password":"two words"}', 'two words'],
    ['?token=s3cr3t&x=1', 's3cr3t'],
    ['a eyJhbGciOi.eyJzdWIi.c2ln b', 'eyJhbGciOi.eyJzdWIi.c2ln'],
    ['Zm9vYmFyQmF6UXV4MTIzNDU2Nzg5MA', 'Zm9vYmFyQmF6UXV4MTIzNDU2Nzg5MA'],
    ['9f86d081884c7d659a2feaa0c55ad015', '9f86d081884c7d659a2feaa0c55ad015'],
    ['cookie: sid=12ab; theme=dark', '12ab'],
  ])('a text that looks as if it held one: %s', (text, secret) => {
    expect(JSON.stringify(written({ text }, createSecrets()))).not.toContain(secret)
  })

  test('what is none stays', () => {
    const plain = {
      type: 'closed',
      code: 1006,
      reason: 'silent',
      imei: '356307042441013',
      id: '0b1f6f0e-9d53-4a35-8f0e-2a8d7a8f1c55',
      needsCode: true,
      token: null,
      password: '',
      email: 'operator@indus.example',
      at: 1_780_000_000_000,
    }
    expect(written(plain, createSecrets())).toEqual(plain)
  })

  test('what was written is written as it is, that of older recordings too', () => {
    const piece = fc.constantFrom(
      'Door code: ',
      'pin=',
      'key: ',
      'token="',
      'Bearer ',
      '"',
      ' ',
      'Fr0st#line24',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        const once = written(pieces.join(''), createSecrets())
        expect(written(once, createSecrets())).toEqual(once)
      }),
    )
    expect(written('Door code: 482913', createSecrets())).toBe('Door code: hidden-1')
    expect(written('Door code: hidden 1', createSecrets())).toBe('Door code: hidden 1')
  })

  test('two that were equal are equal, two that differed differ, and one that may be a password still may', () => {
    const secrets = createSecrets()
    const { a, b, c } = written(
      { a: { password: 'Fr0st#line24' }, b: { confirmPassword: 'Fr0st#line24' }, c: { password: 'short' } },
      secrets,
    ) as { a: { password: string }; b: { confirmPassword: string }; c: { password: string } }
    expect(a.password).toBe(b.confirmPassword)
    expect([isPassword(a.password), isPassword(c.password)]).toEqual([true, false])
    expect(written({ token: a.password }, secrets)).toEqual({ token: a.password })
  })
})

describe('what JSON has no form for', () => {
  test('comes back as it was', () => {
    const value = {
      picked: new Set(['a', 'b']),
      counts: new Map([['a', 1]]),
      at: new Date('2026-11-21T08:00:00Z'),
      never: Number.NEGATIVE_INFINITY,
      list: [1, null, 'x'],
    }
    expect(revived(JSON.parse(JSON.stringify(written(value, createSecrets()))))).toEqual(value)
  })

  test('a refusal is one still', () => {
    const error = Object.assign(new Error('Invalid credentials'), { isRefusal: true, status: 401 })
    const back = revived(written({ error }, createSecrets())) as { error: Error }
    expect(back.error).toBeInstanceOf(Error)
    expect(back.error).toMatchObject({ message: 'Invalid credentials', isRefusal: true, status: 401 })
  })

  test('is long, deep or strange: it says what it was', () => {
    const rows = Array.from({ length: MOST_ITEMS + 7 }, (_, i) => i)
    expect(written(rows, createSecrets())).toMatchObject({ of: MOST_ITEMS + 7 })
    expect(written(new Uint8Array(3), createSecrets())).toEqual({ $left: 'Uint8Array' })
    const ring: { self?: unknown } = {}
    ring.self = ring
    expect(JSON.stringify(written(ring, createSecrets()))).toContain('nested too deep')
  })

  test('a function answers what it is told to', () => {
    const { check } = revived(written({ check: () => 1 }, createSecrets()), () => 'again') as {
      check: () => string
    }
    expect(check()).toBe('again')
  })
})
