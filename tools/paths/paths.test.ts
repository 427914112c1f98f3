import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatted } from './formats.ts'
import { walked } from './machines.ts'
import { Misuse, optionsOf } from './options.ts'

const root = resolve(import.meta.dirname, '../..')
const HERE = ['--in', join(import.meta.dirname, 'testing/machines')]

/** As a shell calls it. */
function call(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const cli = join(root, 'tools/paths/run.ts')
  return new Promise((ended) => {
    execFile(process.execPath, [cli, ...args, ...HERE], { cwd: root }, (error, out, err) =>
      ended({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

async function printed(...args: string[]): Promise<string> {
  const options = optionsOf([...args, ...HERE])
  return formatted(options, await walked(options))
}

describe('npm run paths', () => {
  test('lists the machines and fails for what no path reaches, saying why', async () => {
    const { code, out } = await call()
    expect(code).toBe(1)
    expect(out).toMatch(/^machine +kind +states +transitions +paths +in a browser\n/)
    expect(out).toMatch(/^door +domain +3 +4 +\d+ +no$/m)
    for (const line of [
      'No path reaches bare: bare.machine.ts has no bare.samples.ts beside it',
      'No path reaches lamp, state broken: no path takes what leads to it: on: break → broken',
      'No path reaches lamp, state stored: no transition leads to it',
      "No path reaches lamp, on: break → broken: lamp.samples.ts has no sample of it: { type: 'break' } in on",
      'No path reaches lamp, off: press [isDaylight] → off: there are samples of press in off, but its guard isDaylight holds for none of them',
    ])
      expect(out).toContain(line)
  })

  test('ends well for a machine that is reached, and keeps the form of its JSON', async () => {
    const { code, out } = await call('door', '--format', 'json')
    expect(code).toBe(0)
    const { machines } = JSON.parse(out)
    expect(machines).toEqual([
      expect.objectContaining({
        name: 'door',
        states: ['shut', 'open', 'locked'],
        transitions: ['shut: push → open', 'shut: lock → locked', 'open: push → shut', 'locked: lock → shut'],
        paths: expect.arrayContaining([expect.arrayContaining(['It is shut.'])]),
        unreached: [],
      }),
    ])
  })

  test('writes to a file, and says in one line with code 2 how it was called wrongly', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'frostline-paths-test-'))
    const file = join(folder, 'door.feature')
    expect(await call('door', '--format', 'gherkin', '--output', file)).toEqual({ code: 0, out: '', err: '' })
    expect(readFileSync(file, 'utf8')).toBe(await printed('door', '--format', 'gherkin'))
    rmSync(folder, { recursive: true })
    expect(await call('gate')).toEqual({
      code: 2,
      out: '',
      err: 'no machine gate; there are bare, door, lamp\n',
    })
  })

  test('finds no driver for a machine nobody has shown in a browser, and fails', async () => {
    const { code, out } = await call('door', '--run')
    expect(code).toBe(1)
    expect(out).toContain('door was not walked: it has no driver, e2e/drivers/door.driver.ts')
  })
})

test.each([
  [['--colour']],
  [['--format', 'pdf']],
  [['--generate', 'all', '--seed', '3']],
  [['--generate', 'random', '--walks', '0']],
  [['--generate', 'random', '--length', 'ten']],
  [['--generate', 'random', '--seed', '4294967296']],
  [['--to', 'shut']],
  [['door', 'lamp', '--to', 'shut']],
  [['door', '--to', 'shut', '--fewest']],
  [['door', '--write', '--fewest']],
  [['door', '--url', 'http://127.0.0.1:4000']],
  [['door', '--run', '--url', 'ftp://here']],
  [['door', '--run', '--format', 'gherkin']],
])('%j is no way to call it', (args) => {
  expect(() => optionsOf(args)).toThrow(Misuse)
  expect(() => optionsOf(args)).toThrow(/^[^\n]+$/)
})

describe('what is printed', () => {
  test('is the shortest path to a transition or a state, by a part of its name too', async () => {
    const path = '1. It is shut.\n   On a key it is locked.\n   On a key it is shut.\n'
    expect(await printed('door', '--to', 'locked: lock -> shut')).toContain(path)
    expect(await printed('door', '--to', 'LOCKED: LOCK')).toContain(path)
    expect(await printed('door', '--to', 'locked')).toContain('1. It is shut.\n   On a key it is locked.\n')
    await expect(printed('door', '--to', 'push')).rejects.toThrow(
      'may be each of: shut: push → open; open: push → shut',
    )
    await expect(printed('door', '--to', 'nowhere')).rejects.toThrow(
      'door has no transition or state "nowhere"',
    )
  })

  test('is the same for the same seed', async () => {
    const walks = (seed: string) => printed('door', '--generate', 'random', '--walks', '4', '--seed', seed)
    expect(await walks('7')).toBe(await walks('7'))
    expect(await walks('7')).not.toBe(await walks('8'))
  })

  test('says what paths leave out that others take', async () => {
    expect(await printed('door', '--generate', 'random', '--walks', '1', '--length', '1')).toMatch(
      /Not on these paths:\n( {3}\w+: \w+ → \w+\n){3}/,
    )
  })

  test('is Gherkin: one feature, a rule a machine, scenarios of one Given and pairs of When and Then', async () => {
    const [feature, ...lines] = (await printed('--format', 'gherkin')).trimEnd().split('\n')
    expect(feature).toBe('Feature: State machines')
    const steps = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
    expect(steps.filter((line) => line.startsWith('Rule: '))).toEqual([
      'Rule: bare',
      'Rule: door',
      'Rule: lamp',
    ])
    const scenarios = steps.join('\n').split(/^(?=Scenario: |Rule: )/m)
    for (const one of scenarios)
      expect(one.trim()).toMatch(
        /^(Rule: \w+(\n\d+ states, .*)?|Scenario: \d+\. .+\nGiven it is .+(\nWhen .+\nThen it (is|stays) .+)*)$/,
      )
  })

  test('is Markdown that shows names as they stand', async () => {
    const text = await printed('door', '--format', 'markdown')
    expect(text).toMatch(/^# door\n\n3 states, 4 transitions, \d+ paths\.\n/)
    expect(text).toContain(String.raw`2. On a \*push\* \| of \<one\> hand it is open.`)
  })
})
