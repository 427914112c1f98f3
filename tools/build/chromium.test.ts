import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findChromium } from './chromium.ts'

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
