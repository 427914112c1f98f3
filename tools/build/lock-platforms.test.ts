import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { missingPlatforms } from './lock-platforms.ts'

test('the lock holds every platform, so that `npm ci` takes it (else: node tools/build/lock-platforms.ts)', () => {
  const lock = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  expect(Object.keys(missingPlatforms(lock))).toEqual([])
})

test('a missing platform is locked at the version asked for, with what its name tells', () => {
  const packages = {
    'node_modules/tool': {
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-musl': '1.2.3',
        '@tool/darwin-arm64': '1.2.3',
        '@tool/wasm32-wasi': '1.2.3',
        'tool-linux-arm-gnueabihf': '1.2.3',
      },
    },
    'node_modules/tool/node_modules/@tool/darwin-arm64': { version: '1.2.3' },
  }
  const common = { version: '1.2.3', dev: true, optional: true }
  expect(missingPlatforms({ packages })).toEqual({
    'node_modules/@tool/linux-x64-musl': { ...common, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    'node_modules/@tool/wasm32-wasi': { ...common, cpu: ['wasm32'] },
    'node_modules/tool-linux-arm-gnueabihf': { ...common, os: ['linux'], cpu: ['arm'], libc: ['glibc'] },
  })
})

test('a range, or a name without a platform, is not guessed at', () => {
  const asking = (optionalDependencies: Record<string, string>) => () =>
    missingPlatforms({ packages: { 'node_modules/tool': { optionalDependencies } } })
  expect(asking({ '@tool/linux-x64': '^1.0.0' })).toThrow('no single version')
  expect(asking({ 'tool-extras': '1.0.0' })).toThrow('does not tell its platform')
})
