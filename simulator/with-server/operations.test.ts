import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailLinks } from '../../server/auth/mail-links.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
const sh = promisify(execFile)

/** A bare machine has no curl: this knows of it what the page uses. */
const CURL = `#!${process.execPath}
const [headers, said] = [{}, process.argv.slice(2)]
let url, body
for (let word = said.shift(); word !== undefined; word = said.shift()) {
  if (word === '-H') headers[word = said[0].split(': ')[0]] = said.shift().split(': ')[1]
  else if (word === '-d') body = said.shift()
  else if (word !== '-s') url = word
}
fetch(url, { method: body ? 'POST' : 'GET', headers, body }).then(async (a) => process.stdout.write(await a.text()))
`

type Step = { heading: string; by: string | undefined; script: string }
/** The commands of the section, in order; `by`: what stands above those that are not for the server's user. */
function stepsIn(section: string): Step[] {
  return section
    .split('\n### ')
    .slice(1)
    .flatMap((part) => {
      const heading = part.split('\n')[0] as string
      const blocks = part.matchAll(/(?:<!-- (.*?) -->\n)?```sh\n(.*?)```/gs)
      return [...blocks].map(([, by, script = '']) => ({ heading, by, script }))
    })
}
const section = page.split('\n## From a bare machine to the first truck\n')[1]?.split('\n## ')[0] as string
const steps = stepsIn(section)

let folder: string
let server: ServerProcess | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frostline-operations-'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/curl'), CURL, { mode: 0o755 })
  // what the commands write stays out of the repository: its script, from a folder of their own
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const admin = scripts.admin.replace('server/', `${ROOT}/server/`)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { admin } }))
})
afterAll(async () => {
  server?.process.kill('SIGTERM')
  await server?.ended
  rmSync(folder, { recursive: true, force: true })
})

const here = (script: string): string =>
  script
    .replaceAll('/var/lib/frostline', join(folder, 'data'))
    .replaceAll('/var/backups/frostline', join(folder, 'backups'))
    .replaceAll('http://127.0.0.1:4000', server?.address ?? 'http://127.0.0.1:1')

/** What of these, and in them, other accounts of the machine may look into or change. */
function readableToOthers(...names: string[]): string[] {
  const all = names.flatMap((name) => {
    const isFolder = statSync(join(folder, name)).isDirectory()
    const inside = isFolder ? readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }) : []
    return [name, ...inside.map((path) => join(name, path))]
  })
  // a file that is made under another name first may be gone
  const modeOf = (path: string) => statSync(join(folder, path), { throwIfNoEntry: false })?.mode ?? 0
  return all.filter((path) => (modeOf(path) & 0o077) !== 0)
}

async function start(): Promise<void> {
  server = await startServerProcess({
    DATA_DIR: join(folder, 'data'),
    BACKUP_DIR: join(folder, 'backups'),
    SIMULATOR: 'off',
  })
}

/** What the server calls its copies. */
const COPY = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/

async function byRoot(why: string, script: string): Promise<void> {
  const folders = script.split('\n').filter((line) => /^install -d .*\/var\//.test(line))
  if (folders.length > 0) await sh('sh', ['-ec', here(folders.join('\n').replaceAll('-o frostline ', ''))])
  if (why.endsWith('the server is started')) await start()
  if (why.endsWith('a copy takes its place')) {
    server?.process.kill('SIGTERM')
    await server?.ended
    const [copy] = readdirSync(join(folder, 'backups'))
    expect(copy).toMatch(COPY)
    const files = script.split('\n').filter((line) => /^(mv|cp) /.test(line))
    expect(files).toHaveLength(2)
    const [named = ''] = /[^/ ]+Z(?= )/.exec(script) ?? []
    expect(named, 'called as copies are').toMatch(COPY)
    await sh('sh', ['-ec', here(files.join('\n').replace(named, copy ?? ''))])
    await start()
  }
  if (why.endsWith('a copy is made')) {
    // another one is under way
    mkdirSync(join(folder, 'backups', '2999-12-31T00-00-00.000Z.part'), { mode: 0o700 })
    server?.process.kill('SIGUSR2')
    await expect.poll(() => server?.lines.some((line) => line.startsWith('Backed up to'))).toBe(true)
  }
}

test('what is done first stands in this order', () => {
  expect(section.match(/^### .*$/gm)).toEqual([
    '### 1. Install',
    '### 2. The first administrator',
    '### 3. Start it',
    '### 4. The first company',
    '### 5. The first devices',
    '### 6. The first tracker',
    '### 7. TLS by a reverse proxy',
    '### 8. Upgrade',
    '### 9. Restore',
  ])
})

test('its commands do on a fresh folder what it says', async () => {
  const stated = new Map<string, string>()
  const exported: string[] = []
  const readable: string[] = []
  const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  for (const { heading, by, script } of steps) {
    if (by !== undefined) {
      expect(by).toMatch(/^by root/)
      await byRoot(by, script)
      continue
    }
    // the mask of a shell of Debian
    const { stdout } = await sh('sh', ['-ec', here(['umask 022', ...exported, script].join('\n'))], {
      cwd: folder,
      env: { PATH, HOME: folder },
    })
    if (heading.startsWith('4.')) readable.push(...readableToOthers('data', 'backups', 'company.json'))
    stated.set(heading, `${stated.get(heading) ?? ''}${stdout}`)
    exported.push(...script.split('\n').filter((line) => line.startsWith('export ')))
  }
  expect(readable, 'by other accounts of the machine').toEqual([])
  const link = /^https:\/\/cold\.example\/user\/activate\/([\w-]+)$/m.exec(
    stated.get('2. The first administrator') ?? '',
  )
  const { ask } = callerOf(server?.address ?? '')
  const activated = await ask('activate', {
    params: { token: link?.[1] ?? '' },
    body: { password: 'C0ld#enough' },
  })
  expect(activated.success).toBe(true)
  expect(stated.get('3. Start it')).toContain('"ready"')
  expect(stated.get('4. The first company')).toContain('Ravi Foods: 0 users, 1 groups, 0 devices')
  expect(stated.get('5. The first devices')).toContain('2 devices were taken')
  expect(stated.get('6. The first tracker')).toContain('"accepted":1')
  expect(stated.get('8. Upgrade')).toContain('This release opens it.')
  const { stdout } = await sh('sh', ['-ec', here('npm run -s admin list')], {
    cwd: folder,
    env: { PATH, HOME: folder, DATA_DIR: join(folder, 'data') },
  })
  expect(stdout, 'of what was put back').toContain('Ravi Foods')
})

test("the proxy's log holds no token", () => {
  const [, nginx = ''] = /```nginx\n(.*?)```/s.exec(page) ?? []
  const [, format] = /^ *access_log \S+ (\w+);$/m.exec(nginx) ?? []
  const [, logged = ''] = new RegExp(`log_format ${format} (.*?);`, 's').exec(nginx) ?? []
  const variables = logged.match(/\$\w+/g)
  expect(variables).toEqual(
    expect.arrayContaining(['$remote_addr', '$request_method', '$path_to_log', '$status']),
  )
  for (const whole of ['$request', '$request_uri', '$uri', '$args', '$query_string', '$http_referer'])
    expect(variables).not.toContain(whole)
  expect(nginx).toMatch(/^ *error_log +\S+ crit;/m)

  const [, before = ''] =
    /map \$uri \$path_to_log \{ default \$uri; "~(.*?)" "\$before\.\.\."; \}/.exec(nginx) ?? []
  const shown = (path: string) => path.replace(new RegExp(`${before}.*`), '$<before>...')
  // as they are made: 256 bits
  const newToken = () => randomBytes(32).toString('base64url')
  expect(
    [
      '/api/things/356307042441013/history',
      `/api/auth/set-password/u-7/${newToken()}`,
      `/set-password/${randomUUID()}/${newToken()}`,
      `/shared/${newToken()}`,
      `/user/activate/${newToken()}/`,
      createMailLinks('secret').to('indus', 'a@b.example'),
    ].map(shown),
  ).toEqual([
    '/api/things/356307042441013/history',
    '/api/auth/set-password/u-7/...',
    '/set-password/...',
    '/shared/...',
    '/user/activate/...',
    '/mail/...',
  ])
})

/** The unit of the page, by section and name. */
const [, unit = ''] = /```ini\n(.*?)```/s.exec(page) ?? []
const unitLines = (section: string): string[] =>
  unit.split(`[${section}]\n`)[1]?.split('\n\n')[0]?.trim().split('\n') ?? []

test('the unit is there after a reboot, and is started as often as it takes', () => {
  expect(unitLines('Install')).toContain('WantedBy=multi-user.target')
  expect(unitLines('Unit')).toEqual(
    expect.arrayContaining(['After=network-online.target', 'StartLimitIntervalSec=0']),
  )
  expect(unitLines('Service')).toContain('Restart=always')
})

test('the proxy passes each port that trackers are told to the port where the server has them', () => {
  const [, stream = ''] = /^stream \{\n(.*?)^\}/ms.exec(page) ?? []
  const own = new Map(
    [...unit.matchAll(/\b(TELTONIKA|GT06)_PORT=(\d+)/g)].map(([, name, port]) => [name, port]),
  )
  const ports = section.split('\n### 6. ')[1]?.split('\n### ')[0] ?? ''
  const [teltonika, gt06] = [...ports.matchAll(/port `(\d+)`/g)].map(([, port]) => port)
  for (const [name, port] of [
    ['TELTONIKA', teltonika],
    ['GT06', gt06],
  ] as const) {
    const servers = stream.split(/^ {2}server \{/m).slice(1)
    const [passes] = servers.filter((server) => server.includes(`listen ${port};`))
    const [, to] = /proxy_pass (\w+);/.exec(passes ?? `no server for ${port}`) ?? []
    expect([name, stream.match(new RegExp(`upstream ${to} +\\{ server (\\S+);`))?.[1]]).toEqual([
      name,
      `127.0.0.1:${own.get(name)}`,
    ])
    expect(own.get(name), 'which the proxy has taken').not.toBe(port)
  }
})

test('the signal for a copy reaches the server alone, not the programs it has at work', () => {
  const signals = page.match(/systemctl kill .*/g) ?? []
  expect(signals.length).toBeGreaterThan(0)
  for (const signal of signals) expect(signal).toContain(' --kill-whom=main -s USR2 frostline')
})
