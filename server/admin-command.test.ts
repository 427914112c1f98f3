import { execFile } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../tools/local-cluster/test-database.ts'
import { startProjecting } from './read-models/read-models.ts'
import { openSqliteStore } from './store/sqlite/open.ts'
import { callerOf } from './testing/caller.ts'
import { OWN, startServerProcess } from './testing/server-process.ts'
import { sendFrames } from './testing/tracker.ts'

const COMMAND = join(import.meta.dirname, 'admin-command.ts')
const PASSWORD = 'C0ld#enough'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'frostline-admin-command-'))
  folders.push(made)
  return made
}

type Done = { code: number; out: string; errors: string }
/** `npm run admin -- …`, where no data folder is */
const elsewhere = folder()
const admin = (env: Record<string, string>, ...words: string[]): Promise<Done> =>
  new Promise((resolve) => {
    const options = { cwd: elsewhere, env: { ...OWN, ...env } }
    execFile(process.execPath, [COMMAND, ...words], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    )
  })
async function answer(env: Record<string, string>, ...words: string[]) {
  const { code, out, errors } = await admin(env, ...words, '--json')
  expect([code, errors]).toEqual([0, ''])
  return JSON.parse(out)
}

const tokenIn = (link: string): string => link.split('/').at(-1) ?? ''
/** Chooses the password of a printed link and signs in. */
async function enter(address: string, link: string, username: string): Promise<string> {
  const { ask } = callerOf(address)
  const params = { token: tokenIn(link) }
  // a node hears of what another process wrote into the database
  await expect.poll(async () => (await ask('checkLinkValidity', { params })).success).toBe(1)
  expect(await ask('activate', { params, body: { password: PASSWORD } })).toMatchObject({
    success: true,
  })
  const session = await ask('login', { body: { username, password: PASSWORD } })
  if (!('access_token' in session)) throw new Error('a new password is wanted')
  return session.access_token
}

describe.each([
  ['in a folder', async () => ({ DATA_DIR: folder() })],
  ['in a database', async () => ({ DATA_DIR: folder(), DATABASE_URL: await emptyDatabase() })],
])('%s', (_, place) => {
  test('beside a server that runs, the first administrator is made and comes in', async () => {
    const where = { ...(await place()), PUBLIC_URL: 'https://cold.example' }
    const server = await startServerProcess({ ...where, SIMULATOR: 'off' })
    const { ask } = callerOf(server.address)
    try {
      expect(await ask('time')).toMatchObject({ needsAdministrator: true })
      await expect
        .poll(() => server.lines)
        .toContainEqual(expect.stringMatching(/^There is no administrator yet/))
      const first = await answer(where, 'create-admin', 'noor@customer.example', '--first-name', 'Noor')
      // a node hears of what another process wrote into the database
      await expect.poll(() => ask('time')).toMatchObject({ needsAdministrator: true, hasNoPassword: true })
      expect(first).toMatchObject({ userName: 'noor', email: 'noor@customer.example' })
      expect(first.expiresAt - Date.now()).toBeGreaterThan(59 * 60_000)
      expect(first.expiresAt - Date.now()).toBeLessThanOrEqual(3_600_000)
      const { link } = await answer(where, 'create-admin', 'noor@customer.example')
      expect(link).toMatch(/^https:\/\/cold\.example\/user\/activate\/[\w-]{43}$/)
      // the one before works no more
      const params = { token: tokenIn(first.link) }
      await expect.poll(async () => (await ask('checkLinkValidity', { params })).success).toBe(0)
      const token = await enter(server.address, link, 'noor@customer.example')
      expect(await ask('me', { token })).toMatchObject({ name: 'Noor', superAdmin: true, companyName: '' })
      expect(await ask('companies', { token })).toEqual([])
      expect((await ask('time')).needsAdministrator).toBeUndefined()
      const again = await ask('activate', { params: { token: tokenIn(link) }, body: { password: PASSWORD } })
      expect(again.success).toBe(false)

      expect(await admin(where, 'create-admin', 'noor@customer.example')).toMatchObject({ code: 3 })
      const reset = await answer(where, 'reset-password', 'noor')
      expect(reset.link).toMatch(/^https:\/\/cold\.example\/set-password\/[\w-]+\/[\w-]{43}$/)
      expect(await answer(where, 'list')).toMatchObject({
        administrators: [{ email: 'noor@customer.example', hasPassword: true }],
        companies: [],
      })
    } finally {
      server.process.kill('SIGTERM')
      await server.ended
    }
  })

  test('without a server the record is opened, and the server finds what was made', async () => {
    const where = await place()
    await answer(where, 'create-admin', 'noor@customer.example')
    const server = await startServerProcess({ ...where, SIMULATOR: 'off' })
    const help = 'npm run admin -- reset-password noor@customer.example'
    await expect
      .poll(() => server.lines)
      .toContain(
        `The administrator noor@customer.example has no password yet; for a link to choose one, on this machine: ${help}`,
      )
    // as it says
    const { link } = await answer(where, ...(help.split(' ').slice(4) as [string, string]))
    await enter(server.address, link, 'noor')
    server.process.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(await answer(where, 'list')).toMatchObject({ administrators: [{ hasPassword: true }] })
    expect(await answer(where, 'verify')).toMatchObject({ damaged: 0, damage: [] })

    // the record that the server signed, under a key that another one takes the place of
    const { keyId, previous } = await answer(where, 'rotate-seal-key')
    expect([keyId, previous]).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
    expect(await answer(where, 'verify-log')).toMatchObject({ found: [] })
    const other = `1:${'0'.repeat(64)}`
    expect(await admin(where, 'verify-log', '--head', other)).toMatchObject({
      code: 4,
      out: expect.stringContaining('head 1: the one that was given: the tree does not lead to it'),
    })
    expect((await admin(where, 'verify-log', '--head', 'none')).code).toBe(2)
  })
})

test('a company, its devices and a key: readings and a tracker come in', async () => {
  const where = { DATA_DIR: folder() }
  const server = await startServerProcess({ ...where, SIMULATOR: 'off' })
  try {
    const { deviceKey } = await answer(where, 'create-company', 'Ravi Foods', '--time-zone', 'Asia/Karachi')
    const imeis = Array.from({ length: 500 }, (_, i) => withCheckDigit(35630704000000 + i))
    const bad = ['12345,Too short,,vehicle,,', `${imeis[0]},Again,,vehicle,,`, '356307042441013,,,boat,,']
    const lines = [
      'IMEI,Name,Plate,Type,Make and model,Group',
      ...imeis.map((imei, i) => `${imei},Reefer ${i},,vehicle,,`),
    ]
    const [whole, wrong] = ['whole.csv', 'wrong.csv'].map((name) => join(where.DATA_DIR, name)) as [
      string,
      string,
    ]
    writeFileSync(whole, lines.join('\n'))
    writeFileSync(wrong, [...lines, ...bad].join('\n'))

    const none = await admin(where, 'import-devices', wrong, '--company', 'ravi foods')
    expect(none.code).toBe(3)
    for (const line of [502, 503, 504]) expect(none.out).toContain(`line ${line} `)
    expect(none.out, 'nothing was taken').not.toContain(', taken:')
    expect((await answer(where, 'list')).companies).toMatchObject([{ name: 'Ravi Foods', devices: 0 }])
    const kept = await answer(where, 'import-devices', wrong, '--company', 'ravi foods', '--keep-good')
    expect(kept).toMatchObject({
      registered: 500,
      known: 0,
      faults: [{ line: 502 }, { line: 503 }, { line: 504 }],
    })
    expect(await answer(where, 'import-devices', whole, '--company', 'ravi foods')).toMatchObject({
      registered: 0,
      known: 500,
      differing: 0,
    })
    expect(
      await admin(where, 'import-devices', join(where.DATA_DIR, 'none.csv'), '--company', 'x'),
    ).toMatchObject({
      code: 2,
    })

    const { ask, send } = callerOf(server.address)
    const at = Date.now() - 60_000
    const body = { readings: [{ imei: imeis[1] as string, at, temperature: 4 }] }
    expect(await ask('ingest', { headers: { 'x-device-key': deviceKey }, body })).toMatchObject({
      accepted: 1,
    })
    expect(
      (await send('POST', '/api/ingest', { headers: { 'x-device-key': `${deviceKey}x` }, body })).status,
    ).toBe(401)
    const rotated = await answer(where, 'rotate-key', 'Ravi Foods', '--overlap', '1')
    expect(rotated).toMatchObject({ name: 'Ravi Foods', keyName: 'first key' })
    expect(rotated.oldUntil).toBeGreaterThan(Date.now())
    for (const key of [deviceKey, rotated.deviceKey])
      expect((await send('POST', '/api/ingest', { headers: { 'x-device-key': key }, body })).status).toBe(200)
    // two are good by now: which is meant must be said
    const unsaid = await admin(where, 'rotate-key', 'Ravi Foods')
    expect(unsaid).toMatchObject({ code: 3, errors: expect.stringContaining('Say which key: first key') })
    expect((await admin(where, 'rotate-key', 'Ravi Foods', '--overlap', '2')).code).toBe(2)
    for await (const times of sendFrames(server.trackerPorts.teltonika, imeis[2] as string, [[at]]))
      expect(times).toEqual([at])

    expect(await answer(where, 'set-clock', imeis[3] as string, '--ahead', 'UTC+05:00')).toEqual({
      ...{ imei: imeis[3], name: 'Reefer 3', clockOffset: 300, isChanged: true },
    })
    const again = await admin(where, 'set-clock', imeis[3] as string, '--ahead', '+5')
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('was already taken for UTC+05:00') })
    expect(await admin(where, 'set-clock', '356307042441013', '--ahead', 'UTC')).toMatchObject({
      ...{ code: 3, errors: 'There is no device 356307042441013\n' },
    })

    expect(await answer(where, 'suspend', 'Ravi Foods', '--reason', 'unpaid')).toMatchObject({
      suspended: true,
      isChanged: true,
    })
    expect(await answer(where, 'suspend', 'Ravi Foods')).toMatchObject({ isChanged: false })
    expect(await answer(where, 'resume', 'Ravi Foods')).toMatchObject({ suspended: false, isChanged: true })
  } finally {
    server.process.kill('SIGTERM')
    await server.ended
  }
})

/** An IMEI of fourteen digits and their check digit (Luhn). */
function withCheckDigit(digits: number): string {
  const sum = [...String(digits)].reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

test('the demo is not administered with its server stopped', async () => {
  const where = { DATA_DIR: folder() }
  const demo = await startServerProcess(where)
  expect((await answer(where, 'list')).companies.length).toBeGreaterThan(1)
  demo.process.kill('SIGTERM')
  await demo.ended
  const { code, errors } = await admin(where, 'create-admin', 'noor@customer.example')
  expect([code, errors]).toEqual([1, expect.stringContaining('The record holds the demo')])
  expect(await answer(where, 'verify')).toMatchObject({ damaged: 0 })
})

test('verify names what cannot be read, and a record of a later release', async () => {
  const where = { DATA_DIR: folder() }
  await answer(where, 'create-admin', 'noor@customer.example')
  const db = new DatabaseSync(join(where.DATA_DIR, 'frostline.sqlite'))
  db.exec(`UPDATE facts SET data = '{"userId":7}' WHERE type = 'link.issued'`)
  db.exec(`INSERT INTO batches (seq, recorded_at, bytes) VALUES (99, 0, x'00')`)
  db.exec(`INSERT INTO chunks (id, bytes) VALUES (${(20_000 * 65_536 + 1) * 4_194_304 + 12}, x'09')`)
  db.exec('PRAGMA user_version = 99')
  db.close()
  const { code, out } = await admin(where, 'verify')
  expect(code).toBe(4)
  for (const part of ['schema 99', 'link.issued', 'batch 99', 'device 12 on day 20000'])
    expect(out).toContain(part)
})

test('a fact that was edited is put back from a backup, which the record says with who did it', async () => {
  const where = { DATA_DIR: folder() }
  await answer(where, 'create-admin', 'noor@customer.example')
  // the record takes 200 letters of its name
  const backup = join(folder(), 'b'.repeat(240))
  cpSync(where.DATA_DIR, backup, { recursive: true })
  const edit = (dir: string) => {
    const db = new DatabaseSync(join(dir, 'frostline.sqlite'))
    db.exec(`UPDATE facts SET recorded_at = recorded_at + 1 WHERE type = 'link.issued'`)
    db.close()
  }
  edit(where.DATA_DIR)
  expect(await admin(where, 'verify')).toMatchObject({
    code: 4,
    out: expect.stringMatching(/link.issued.*not what was written/),
  })
  const today = new Date().toISOString().slice(0, 10)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const restore = (from: string) => admin(where, 'restore-days', from, '--from', yesterday, '--to', today)
  expect(await restore(folder())).toMatchObject({ code: 3, errors: expect.stringContaining('is no backup') })
  expect(await restore(backup)).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 days of devices, 1 facts and 0 batches'),
  })
  expect(await answer(where, 'verify')).toMatchObject({ damaged: 0 })
  const db = new DatabaseSync(join(where.DATA_DIR, 'frostline.sqlite'))
  const { data } = db.prepare("SELECT data FROM facts WHERE type = 'record.days-restored'").get() as {
    data: string
  }
  db.close()
  expect(JSON.parse(data)).toMatchObject({
    operator: userInfo().username,
    backup: `${'b'.repeat(199)}…`,
    from: yesterday,
    to: today,
    facts: 1,
  })
})

test('what a fact that was lost says is shown again once it is put back', async () => {
  const where = { DATA_DIR: folder() }
  await answer(where, 'create-admin', 'noor@customer.example')
  await answer(where, 'create-company', 'Ravi Foods', '--time-zone', 'Asia/Karachi')
  const backup = folder()
  cpSync(where.DATA_DIR, backup, { recursive: true })
  const db = new DatabaseSync(join(where.DATA_DIR, 'frostline.sqlite'))
  db.exec(`DELETE FROM facts WHERE type = 'company.registered'; DELETE FROM checkpoints`)
  db.close()
  const store = openSqliteStore({ dir: where.DATA_DIR, clock: { now: Date.now } })
  const withoutIt = startProjecting(store)
  withoutIt.stop()
  withoutIt.checkpoint()
  await store.close()
  expect((await answer(where, 'list')).companies).toEqual([])
  const [yesterday, today] = [Date.now() - 86_400_000, Date.now()].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  ) as [string, string]
  await answer(where, 'restore-days', backup, '--from', yesterday, '--to', today)
  expect((await answer(where, 'list')).companies).toMatchObject([{ name: 'Ravi Foods' }])
})

test('root puts nothing back into a folder of another user, who could not write there any more', async () => {
  const where = { DATA_DIR: folder() }
  await answer(where, 'create-admin', 'noor@customer.example')
  const backup = folder()
  cpSync(where.DATA_DIR, backup, { recursive: true })
  // who is not root is taken for it, and root's folder is given away
  const asRoot = `data:text/javascript,${encodeURIComponent('process.getuid = () => 0')}`
  if (process.getuid?.() === 0) chownSync(where.DATA_DIR, 65_534, 65_534)
  const env = { ...where, NODE_OPTIONS: `--import ${asRoot}` }
  expect(await admin(env, 'restore-days', backup, '--from', '2026-06-14')).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/belongs to user \d+: run this as that user/),
  })
})

test('a record is begun by the first administrator alone, in a folder that is named', async () => {
  const missing = join(folder(), 'data')
  for (const [env, ...words] of [
    [{ DATA_DIR: missing }, 'list'],
    [{ DATA_DIR: missing }, 'restore-days', folder(), '--from', '2026-06-14', '--device', '356307042441013'],
    [{}, 'create-admin', 'noor@customer.example'],
  ] as const)
    expect(await admin(env, ...words)).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/there is no record in .*\/data .*: set DATA_DIR or DATABASE_URL/),
    })
  expect(existsSync(missing)).toBe(false)
})

describe('what is typed wrongly', () => {
  // what else can be wrong is tried beside command-line.ts
  test('is said', async () => {
    const { code, errors } = await admin({ DATA_DIR: folder() }, 'bogus')
    expect([code, errors]).toEqual([2, expect.stringContaining('There is no command bogus')])
  })

  test('an environment too, and what is refused has a code of its own', async () => {
    expect(await admin({ DATA_DIR: folder(), PORT: 'four' }, 'list')).toMatchObject({ code: 2 })
    const where = { DATA_DIR: folder() }
    await answer(where, 'create-admin', 'noor@customer.example')
    expect(await admin(where, 'suspend', 'nobody')).toEqual({
      code: 3,
      out: '',
      errors: 'There is no company nobody\n',
    })
    const refused = await admin(where, 'create-admin', 'no address', '--json')
    expect([refused.code, JSON.parse(refused.out)]).toEqual([
      3,
      { refused: { status: 422, message: 'Invalid email!', path: 'email' } },
    ])
  })

  test('a command says what it takes', async () => {
    const help = await admin({}, 'suspend', '--help')
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('npm run admin -- suspend')])
  })
})
