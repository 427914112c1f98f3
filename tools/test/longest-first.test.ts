import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LONG } from './longest-first.ts'

test('what is said to take long is there', () => {
  const root = join(import.meta.dirname, '../..')
  expect(LONG.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
