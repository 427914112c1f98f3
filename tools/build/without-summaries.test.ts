import { expect, test } from 'vitest'
import { summariesEmptied } from './without-summaries.ts'

test.each([
  [`{ path: '/a', summary: 'All of it.', answer: A }`, `{ path: '/a', summary: '', answer: A }`],
  [`summary:\n  "Somebody's, with \`next\`.",\naccess: 'session'`, `summary: '',\naccess: 'session'`],
  ["summary: `Up to 40, 'so'.`,\nsummary: 'It\\'s one.',", "summary: '',\nsummary: '',"],
  ['answer: object({ summary: string(), a: b })', 'answer: object({ summary: string(), a: b })'],
])('what a call is for is left out, and nothing else: %j', (code, expected) => {
  expect(summariesEmptied(code)).toBe(expected)
})
