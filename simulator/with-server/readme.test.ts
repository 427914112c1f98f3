import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnv } from '../../server/config/config.ts'
import { readSimulatorConfig } from '../config.ts'
import { startDemo } from '../testing/start-demo.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const [readme, scenarios, environment] = ['README.md', 'docs/scenarios.md', 'docs/environment.md'].map(
  read,
) as [string, string, string]
const sh = promisify(execFile)

/** A bare machine has no curl: this knows of it what these pages use. */
const CURL = `#!${process.execPath}
const [headers, said] = [{}, process.argv.slice(2)]
let url, body
for (let word = said.shift(); word !== undefined; word = said.shift()) {
  if (word === '-H') headers[said[0].split(': ')[0]] = said.shift().split(': ')[1]
  else if (word === '-d') body = said.shift()
  else if (word !== '-s') url = word
}
fetch(url, { method: body ? 'POST' : 'GET', headers, body }).then(async (a) => process.stdout.write(await a.text()))
`
const bin = mkdtempSync(join(tmpdir(), 'frostline-readme-'))
writeFileSync(join(bin, 'curl'), CURL, { mode: 0o755 })

let open: Awaited<ReturnType<typeof startDemo>>
beforeAll(async () => {
  open = await startDemo()
})
afterAll(async () => {
  await open.server.close()
  rmSync(bin, { recursive: true })
})

const section = (page: string, title: string): string =>
  page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] as string

/** Answers of an example, as somebody who copies it gets them. */
async function run(title: string): Promise<string> {
  const [, example] = /```sh\n(.*?)```/s.exec(section(scenarios, title)) as unknown as [string, string]
  const script = example.replaceAll('http://127.0.0.1:4000', open.server.address)
  const { stdout } = await sh('sh', ['-c', script], { env: { PATH: `${bin}:${process.env.PATH}` } })
  return stdout
}

test('a reading is sent as docs/scenarios.md says, and answered so', async () => {
  const answer = await run('Send readings')
  expect(section(scenarios, 'Send readings')).toContain(`\`${answer}\``)
})

test('a compressor is stopped and an hour passes as docs/scenarios.md says', async () => {
  const before = await open.sim.status()
  expect(await run('Make things go wrong')).toContain('"id"')
  expect((await open.sim.status()).now - before.now).toBe(3_600_000)
  const [fault] = (await open.sim.ask('GET', '/faults')).slice(-1)
  const { devices } = open.server.app.core.readModels.directory
  expect(devices.find(({ imei }) => imei === fault.imei)?.name).toBe('LHR-FRZ-001')
})

test('every account is named with the password they have', async () => {
  const accounts = await open.ask('demoAccounts')
  const named = [...section(readme, 'Accounts').matchAll(/^\| `(.+?)`/gm)].map(([, email]) => email)
  expect(named).toEqual(accounts.map(({ email }) => email))
  for (const { password } of accounts) expect(section(readme, 'Accounts')).toContain(`\`${password}\``)
})

test('every variable is named', () => {
  const requested = new Set<string>()
  const noting: ProxyHandler<Record<string, string>> = {
    get(_, name) {
      requested.add(String(name))
      return ''
    },
  }
  readEnv(new Proxy({}, noting))
  readSimulatorConfig(new Proxy({}, noting))
  const [table = ''] = section(environment, 'Environment').split('\n\n').slice(1)
  const named = (text: string) => new Set(text.match(/(?<=`)[A-Z][A-Z0-9]*(_[A-Z]+)*(?=`)/g))
  expect(named(table)).toEqual(requested)
})
