import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withMeasured } from './page.ts'

test('a run writes between the marks, and all that was written by hand stays', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/benchmarks.md'), 'utf8')
  const once = withMeasured(page, 'a $& b\n\n| 1 |')
  expect(once).toContain('\n<!-- measured -->\na $& b\n\n| 1 |\n<!-- /measured -->\n')
  const [, measured = ''] = /<!-- measured -->\n([\s\S]*?)\n<!-- \/measured -->/.exec(page) ?? []
  expect(withMeasured(once, measured)).toBe(page)
})

test('a page without marks is not written over', () => {
  expect(() => withMeasured('# Benchmarks\n', 'a')).toThrow('no marks')
})
