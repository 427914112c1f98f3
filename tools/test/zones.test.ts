import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowed, forbidden, impure, type Zone } from './zone-samples.ts'

const root = resolve(import.meta.dirname, '../..')
const server = mkdtempSync(join(tmpdir(), 'zones-'))
const found = new Set<string>()

/** Every sample becomes a file in an empty copy of the server, evaluated by the server's own biome.json in one run. */
beforeAll(() => {
  cpSync(join(root, 'biome.json'), join(server, 'biome.json'))
  cpSync(join(root, '.gitignore'), join(server, '.gitignore'))
  for (const zone of [...allowed, ...forbidden]) write(zone.file, zone.imports.map(importing).join('\n'))
  for (const { file, code } of impure) write(file, code)
  write('server/store/egg.ts', "import { hen } from './hen.ts'\nexport const egg = () => hen\n")
  write('server/store/hen.ts', "import { egg } from './egg.ts'\nexport const hen = () => egg\n")
  write('server/store/index.ts', "export { egg } from './egg.ts'\n")
  const biome = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--reporter=json',
      '--max-diagnostics=none',
    ],
    { cwd: server, encoding: 'utf8' },
  )
  for (const { category, location } of JSON.parse(biome.stdout).diagnostics) {
    found.add(`${location.path}:${location.start?.line} ${category.split('/').at(-1)}`)
  }
})

afterAll(() => rmSync(server, { recursive: true, force: true }))

describe('what a zone may not import is an error', () => {
  for (const { file, specifier, line } of samples(forbidden)) {
    test(`${file} ✗ ${specifier}`, () => expect(found).toContain(`${file}:${line} noRestrictedImports`))
  }
})

describe('what a zone may import passes', () => {
  for (const { file, specifier, line } of samples(allowed)) {
    test(`${file} ▶ ${specifier}`, () => expect(found).not.toContain(`${file}:${line} noRestrictedImports`))
  }
})

describe('machines are pure', () => {
  for (const { file, code, rule } of impure) {
    test(`${file} ✗ ${code}`, () => expect(found).toContain(`${file}:1 ${rule}`))
  }
})

describe('the shape of imports', () => {
  test('a cycle is an error', () => expect(found).toContain('server/store/hen.ts:1 noImportCycles'))
  test('a barrel is an error', () => expect(found).toContain('server/store/index.ts:1 noBarrelFile'))
})

function importing(specifier: string, index: number): string {
  return `import { name${index} } from '${specifier}'`
}

function samples(zones: Zone[]) {
  return zones.flatMap(({ file, imports }) =>
    imports.map((specifier, index) => ({ file, specifier, line: index + 1 })),
  )
}

function write(file: string, code: string): void {
  mkdirSync(dirname(join(server, file)), { recursive: true })
  writeFileSync(join(server, file), code)
}
