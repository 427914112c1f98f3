import { expect, test } from 'vitest'
import { emptied } from './without-webgpu.ts'

test('shaders are left empty under their names', () => {
  const code =
    "import { A } from './a.js'\nconst inner = `x`\nexport const lines = /* wgsl */ `fn light`\nexport const more = ''"
  expect(emptied(code)).toBe("export const lines = ''\nexport const more = ''")
})

test.each([
  'export function scan() {}',
  'export { lines }',
  "export * from './lines.js'",
  'export default 1',
  '',
])('a file is not touched that has more than shaders: %s', (code) =>
  expect(emptied(`${code}\n`)).toBeUndefined(),
)
