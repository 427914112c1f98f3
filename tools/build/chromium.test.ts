import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { chromiumFlags, findChromium } from './chromium.ts'

const folder = mkdtempSync(join(tmpdir(), 'chromium-'))
const wished = join(folder, 'wished')
const system = join(folder, 'chromium')
writeFileSync(wished, '')
writeFileSync(system, '')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the wished browser goes before the system one', () => {
  expect(findChromium({ CHROMIUM_PATH: wished, PATH: folder })).toBe(wished)
})

test('the system browser goes before the bundled one', () => {
  expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(system)
})

test('of the system’s browsers the one without a window goes first', () => {
  const shell = join(folder, 'chromium-headless-shell')
  writeFileSync(shell, '')
  expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(shell)
  rmSync(shell)
})

test('a wished browser that is not there is an error, not a reason to take another', () => {
  expect(() => findChromium({ CHROMIUM_PATH: join(folder, 'gone'), PATH: folder })).toThrow('no such file')
})

test('what Playwright disables stays disabled beside what we do', async () => {
  const stub = join(folder, 'stub')
  writeFileSync(stub, `#!/bin/sh\nfor word; do echo "$word"; done > ${folder}/words\n`)
  chmodSync(stub, 0o755)
  await expect(chromium.launch({ executablePath: stub, args: chromiumFlags })).rejects.toThrow()
  const lists = readFileSync(join(folder, 'words'), 'utf8').match(/(?<=^--disable-features=).*/gm) ?? []
  const [playwrights = [], ours = []] = lists.map((list) => list.split(','))
  expect(playwrights.length).toBeGreaterThan(0)
  expect(playwrights.filter((feature) => !ours.includes(feature))).toEqual([])
  expect(ours).toContain('WebUIOmniboxPopup')
})
