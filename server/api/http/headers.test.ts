import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STARTING_HEADERS } from './starting-page.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

const dir = mkdtempSync(join(tmpdir(), 'frostline-headers-'))
const distDir = join(dir, 'dist')
const browser = { accept: 'text/html,*/*' }
let plain: TestServer
let secure: TestServer
beforeAll(async () => {
  mkdirSync(join(distDir, 'assets'), { recursive: true })
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>Frostline</title>')
  writeFileSync(join(distDir, 'assets', 'main-1a2b.js'), 'start()')
  plain = await buildTestServer({ distDir })
  secure = await buildTestServer({ distDir, publicUrl: 'https://fleet.example' })
})
afterAll(async () => {
  await Promise.all([plain.close(), secure.close()])
  rmSync(dir, { recursive: true })
})

/** Pages, files, answers, refusals, and what the router itself turns away: all of it comes from us. */
const SERVED = [
  '/',
  '/login',
  '/user/activate/a.b',
  '/adminLogin?token=x',
  '/assets/main-1a2b.js',
  '/assets/gone.js',
  '/api/time',
  '/api/auth/me',
  '/api/nowhere',
  '/healthz',
]

type Policy = Record<string, string[]>
function policyOf(text: unknown): Policy {
  const parts = String(text)
    .split(';')
    .map((directive) => directive.trim().split(/\s+/))
  return Object.fromEntries(parts.map(([name = '', ...sources]) => [name, sources]))
}
const ask = (server: TestServer, url: string): Promise<LightMyRequestResponse> =>
  server.app.inject({ url, headers: browser })

describe.each(SERVED)('%s', (url) => {
  test('runs our own scripts and nobody else’s, frames nowhere, loads nothing from elsewhere', async () => {
    const policy = policyOf((await ask(plain, url)).headers['content-security-policy'])
    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'worker-src': ["'self'"],
      'connect-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    })
    // libraries insert styles of a known text, and pictures may be made on the spot; nothing else is let off
    const lax = Object.entries(policy).filter(
      ([name, sources]) =>
        !/trusted-types/.test(name) && !sources.every((s) => /^'(self|none|sha256-.+)'$/.test(s)),
    )
    expect(lax.map(([name]) => name)).toEqual(['img-src'])
    expect(policy['img-src']).toEqual(["'self'", 'data:', 'blob:'])
    expect(policy).toMatchObject({ 'require-trusted-types-for': ["'script'"], 'trusted-types': ['default'] })
  })

  test('is not sniffed at, not framed, names no referrer and uses no device', async () => {
    const { headers } = await ask(plain, url)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\).*microphone=\(\)/),
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('stays on https and by itself where the portal is reached by https, and only there', async () => {
    expect((await ask(secure, url)).headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/^max-age=31536000\b/),
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
    })
    const { headers } = await ask(plain, url)
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('cross-origin-opener-policy')
  })
})

test('the page that is shown while the server starts runs nothing at all', () => {
  const policy = policyOf(STARTING_HEADERS['content-security-policy'])
  expect(policy).toEqual({
    'default-src': ["'none'"],
    'style-src': [expect.stringMatching(/^'sha256-.+'$/)],
    'frame-ancestors': ["'none'"],
  })
  expect(STARTING_HEADERS).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
})

test('an address that the router cannot read is answered without it, as what it is', async () => {
  const { statusCode, headers, body } = await ask(plain, '/api/groups/<script>%E0%A4%A')
  expect([statusCode, body]).toEqual([400, '{"code":400,"message":"The address cannot be read"}'])
  expect(headers).toMatchObject({
    'content-type': expect.stringContaining('application/json'),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  })
})
