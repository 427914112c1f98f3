import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LARGEST_BODY } from './plugin.ts'

test('the proxy of the documents lets the largest body through', () => {
  const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const megabytes = /client_max_body_size (\d+)m;/.exec(operations)?.[1]
  // around a file are the lines of its form
  expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(LARGEST_BODY + 1024)
})
