import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterEach, describe, expect, test } from 'vitest'
import { createAccessTokens } from './access-tokens.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { readRefreshToken, writeRefreshToken } from './refresh-tokens.ts'
import { tokenSecret } from './token-secret.ts'

const secret = 'a secret of thirty-two characters'
const claims = { sub: 'u1', companyId: 'indus', groupId: 'indus', sid: 's1', scope: 'full' as const }

describe('an access token', () => {
  test('says what was signed, until it runs out on the clock of the server', async () => {
    let now = 1_000_000_000_000
    const tokens = createAccessTokens(secret, { now: () => now })
    const token = await tokens.sign(claims, 60)
    expect(await tokens.verify(token)).toMatchObject({ ...claims, exp: 1_000_000_060 })
    now += 60_000
    expect(await tokens.verify(token)).toBeUndefined()
  })

  test('is another one each time, also within a second: the portal knows a renewed one by that', async () => {
    const tokens = createAccessTokens(secret, { now: () => 1_000_000_000_000 })
    expect(await tokens.sign(claims, 60)).not.toBe(await tokens.sign(claims, 60))
  })

  test.each([
    ['of another key', () => createAccessTokens(`${secret}!`, { now: () => 0 }).sign(claims, 60)],
    [
      'unsigned',
      async () => {
        const [, payload] = (await createAccessTokens(secret, { now: () => 0 }).sign(claims, 60)).split('.')
        return `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${payload}.`
      },
    ],
    [
      'of another issuer',
      () =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .setExpirationTime(60)
          .sign(new TextEncoder().encode(secret)),
    ],
    ['that is none', async () => 'not.a.token'],
  ])('%s is none', async (_, make) => {
    expect(await createAccessTokens(secret, { now: () => 0 }).verify(await make())).toBeUndefined()
  })
})

describe('a password', () => {
  test('is known again by its hash alone, an argon2id one', async () => {
    const hash = await hashPassword('Fr0st#line24')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(hash, 'Fr0st#line24')).toBe(true)
    expect(await verifyPassword(hash, 'Fr0st#line25')).toBe(false)
  })

  test('of nobody is never right, not even the one hashed in its place', async () => {
    expect(await verifyPassword(null, 'nobody has this password')).toBe(false)
  })
})

describe('a refresh token', () => {
  test('is read as it was written', () => {
    const token = { userId: 'u1', sessionId: 's-1', secret: 'x_y-z' }
    expect(readRefreshToken(writeRefreshToken(token))).toEqual(token)
  })
  test.each(['', 'a', 'a.b', 'a.b.c.d', '../jobs/notifier', 'a..c'])('%j is none', (text) => {
    expect(readRefreshToken(text)).toBeUndefined()
  })
})

describe('the key of the server', () => {
  const made: string[] = []
  const directory = () => {
    const path = mkdtempSync(join(tmpdir(), 'frostline-key-'))
    made.push(path)
    return path
  }
  afterEach(() => {
    for (const path of made.splice(0)) rmSync(path, { recursive: true })
  })

  test('is made once, kept, and readable to its owner alone', () => {
    const dir = join(directory(), 'data')
    const first = tokenSecret(undefined, dir)
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(tokenSecret(undefined, dir)).toBe(first)
    expect(readFileSync(join(dir, 'token-secret'), 'utf8')).toBe(first)
    expect(statSync(join(dir, 'token-secret')).mode & 0o777).toBe(0o600)
  })

  test('that was given wins, and without a directory a new one is made each time', () => {
    expect(tokenSecret('given', ':memory:')).toBe('given')
    expect(tokenSecret(undefined, ':memory:')).not.toBe(tokenSecret(undefined, ':memory:'))
  })

  test('is whole and on the disk before it gets its name: a power cut leaves all of it or nothing', () => {
    const dir = directory()
    const calls = join(dir, 'calls')
    const script = `import { tokenSecret } from '${import.meta.dirname}/token-secret.ts'; tokenSecret(undefined, '${dir}')`
    const traced = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
      for (const name of ['fsyncSync', 'renameSync']) {
        const real = fs[name]
        fs[name] = (...args) => { fs.appendFileSync('${calls}', name + ' '); return real(...args) }
      }
      syncBuiltinESMExports()`
    const preload = `data:text/javascript,${encodeURIComponent(traced)}`
    execFileSync(process.execPath, ['--import', preload, '--input-type=module', '-e', script])
    expect(readFileSync(calls, 'utf8').trim()).toBe('fsyncSync renameSync fsyncSync')
  })

  test('of a start that was cut off is not taken for one', () => {
    const dir = directory()
    writeFileSync(join(dir, 'token-secret.part'), '')
    const made = tokenSecret(undefined, dir)
    expect(made.length).toBeGreaterThanOrEqual(32)
    expect(readFileSync(join(dir, 'token-secret'), 'utf8')).toBe(made)
  })

  test('that was spoilt is not taken', () => {
    const dir = directory()
    writeFileSync(join(dir, 'token-secret'), 'short')
    expect(() => tokenSecret(undefined, dir)).toThrow('delete it')
  })
})
