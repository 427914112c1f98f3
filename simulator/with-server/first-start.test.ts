import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userByLogin } from '#machines/projections/directory.ts'
import { RecordOfOtherUse } from '../../server/commands/registration/record-use.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { spawnServer, startServerProcess } from '../../server/testing/server-process.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { startDemo } from '../testing/start-demo.ts'
import { startProduction } from '../testing/start-production.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Folders that are made, or fetched. */
const MADE = new Set(['node_modules', '.git', '.cache', 'dist', 'test-results', 'data'])
const folders: string[] = []
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'frostline-first-start-'))
  folders.push(made)
  return made
}
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

/** What a record holds at first, but for the key that whoever leads adds as soon as it comes to it. */
const begunWith = ({ core }: Awaited<ReturnType<typeof startProduction>>['app']): string[] =>
  core.store.log
    .readFacts(0)
    .map(({ type }) => type)
    .filter((type) => type !== 'seal.key-added')

describe.each([
  ['a folder', async () => ({ DATA_DIR: folder() })],
  ['a database', async () => ({ DATABASE_URL: await emptyDatabase() })],
])('%s', (_, place) => {
  test('that holds the demo is not opened by production, and the demo goes on there', async () => {
    const where = await place()
    const demo = await startDemo(where)
    const { head } = demo.server.app.core.store.log
    await demo.server.close()
    await expect(startProduction(where)).rejects.toThrow(RecordOfOtherUse)
    await expect(startProduction(where)).rejects.toThrow(/an empty DATA_DIR or DATABASE_URL/)
    const again = await startDemo(where)
    expect(again.server.app.core.store.log.head()).toBeGreaterThanOrEqual(head())
    await again.signIn('operator@indus.example')
    await again.server.close()
  })

  test("that is production's is not opened by the demo, and production goes on there", async () => {
    const where = await place()
    await (await startProduction(where)).close()
    await expect(startDemo(where)).rejects.toThrow(/SIMULATOR=off/)
    const { app, close } = await startProduction(where)
    expect(begunWith(app)).toEqual(['record.begun'])
    await close()
  })

  test('is begun once by two that start at once', async () => {
    const where = await place()
    if (!('DATABASE_URL' in where)) return
    const both = await Promise.all(
      ['one', 'other'].map((NODE_NAME) => startProduction({ ...where, NODE_NAME })),
    )
    for (const { app } of both) expect(begunWith(app)).toEqual(['record.begun'])
    for (const server of both) await server.close()
  })
})

test('the process says in a line why it does not start, and production how to make an administrator', async () => {
  const production = folder()
  const server = await startServerProcess({ DATA_DIR: production, SIMULATOR: 'off' })
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(server.lines.join('\n')).toContain('npm run admin -- create-admin')
  expect(server.lines.join('\n')).not.toContain('Sign in')
  const { code, errors } = await spawnServer({ DATA_DIR: production }).ended
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
  expect(errors).toContain("The record is production's")
})

describe('production on a fresh folder', () => {
  /** Whatever in the repository could be a name, a password or a key to try. */
  const found = { accounts: new Set<string>(), passwords: new Set<string>(), keys: new Set<string>() }
  let server: Awaited<ReturnType<typeof startProduction>>
  let send: ReturnType<typeof callerOf>['send']
  beforeAll(async () => {
    const files = globSync('**/*.{js,jsx,ts,tsx,json,md,yml,yaml,txt,html}', {
      cwd: ROOT,
      exclude: (path) => MADE.has(basename(path)),
    })
    for (const file of files) collect(readFileSync(join(ROOT, file), 'utf8'))
    server = await startProduction({ DATA_DIR: folder(), TRUSTED_PROXIES: '127.0.0.1' })
    send = callerOf(server.address).send
  })
  afterAll(() => server.close())

  const strings = (text: string, after: RegExp): string[] =>
    [
      ...text.matchAll(
        new RegExp(`${after.source}["'\`]?\\s*[:=,(]\\s*["'\`]([^"'\`\\n]{1,128})["'\`]`, 'gi'),
      ),
    ].map(([, value = '']) => value)
  function collect(text: string): void {
    for (const [email] of text.matchAll(/[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g)) found.accounts.add(email)
    for (const name of strings(text, /(?:userName|username|login)/)) found.accounts.add(name)
    for (const value of strings(text, /(?:pass(?:word|phrase)?|secret)/)) found.passwords.add(value)
    for (const value of strings(text, /(?:deviceKey|x-device-key|api_?key)/)) found.keys.add(value)
    for (const [key] of text.matchAll(/\b[\w-]+-device-key\b/g)) found.keys.add(key)
  }

  test('finds in the repository what the demo is entered with', () => {
    expect(found.accounts).toContain('admin@frostline.example')
    expect(found.accounts).toContain('operator@indus.example')
    expect(found.passwords).toContain('Fr0st#line24')
    expect(found.keys).toContain('indus-device-key')
  })

  test('knows nobody', async () => {
    const { directory } = server.app.core.readModels
    expect([
      directory.companies.size,
      directory.groups.size,
      directory.users.size,
      directory.devices.length,
    ]).toEqual([0, 0, 0, 0])
    expect([...found.accounts].filter((account) => userByLogin(directory, account))).toEqual([])
    expect((await send('GET', '/sim/status')).status).toBe(404)
    expect((await send('GET', '/api/demo-accounts')).text).toBe('[]')
  })

  test('lets no account in with any password, each tried from an address of its own', async () => {
    const [accounts, passwords] = [[...found.accounts], ['Fr0st#line24', ...found.passwords]]
    const statuses = new Map<number, number>()
    for (let i = 0; i < Math.max(accounts.length, passwords.length); i++) {
      const headers = { 'x-forwarded-for': `10.1.${i >> 8}.${i & 255}` }
      for (const password of new Set([passwords[0], passwords[i % passwords.length]])) {
        const body = { username: accounts[i % accounts.length], password }
        const { status } = await send('POST', '/api/auth/login', { headers, body })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    expect([...statuses.keys()].filter((status) => ![400, 401, 429].includes(status))).toEqual([])
    expect(statuses.get(401)).toBeGreaterThan(accounts.length / 2)
  })

  test('takes readings with no key, and lets no tracker in', async () => {
    const body = { readings: [{ imei: '352093024171000', at: Date.now(), temperature: 4 }] }
    for (const key of ['', ...found.keys]) {
      const { status } = await send('POST', '/api/ingest', {
        headers: { 'x-device-key': encodeURI(key) },
        body,
      })
      // whoever tries many of them is refused before they are looked at
      expect([key, [401, 429].includes(status)]).toEqual([key, true])
    }
  })
})
