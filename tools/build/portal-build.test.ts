import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashInputs, isPortalStale } from './portal-build.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-'))
  mkdirSync(join(folder, 'src/ui'), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'index.html'), '<div id="root"></div>')
  writeFileSync(join(folder, 'src/ui/button.tsx'), 'export const button = 1')
  writeFileSync(join(folder, 'dist/.stamp'), hashInputs(folder))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a build of what is on disk is fresh', () => expect(isPortalStale(folder)).toBe(false))

test('a folder without a build is stale', () => {
  rmSync(join(folder, 'dist/.stamp'))
  expect(isPortalStale(folder)).toBe(true)
})

test('a changed, a new, a renamed and a removed source each make it stale', () => {
  writeFileSync(join(folder, 'src/ui/button.tsx'), 'export const button = 2')
  expect(isPortalStale(folder)).toBe(true)
  writeFileSync(join(folder, 'src/ui/button.tsx'), 'export const button = 1')
  expect(isPortalStale(folder)).toBe(false)
  writeFileSync(join(folder, 'src/ui/link.tsx'), '')
  expect(isPortalStale(folder)).toBe(true)
  rmSync(join(folder, 'src/ui/link.tsx'))
  rmSync(join(folder, 'src/ui/button.tsx'))
  expect(isPortalStale(folder)).toBe(true)
  writeFileSync(join(folder, 'src/ui/press.tsx'), 'export const button = 1')
  expect(isPortalStale(folder)).toBe(true)
})

test('a changed test does not rebuild the portal', () => {
  writeFileSync(join(folder, 'src/ui/button.test.tsx'), 'test()')
  expect(isPortalStale(folder)).toBe(false)
})
