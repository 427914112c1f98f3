import { afterEach, expect, test, vi } from 'vitest'
import { jsonRows } from './json-rows.ts'

afterEach(() => vi.restoreAllMocks())

/** The texts that so many rows come in; each row takes so long, ms. */
async function written(count: number, takes: number): Promise<string[]> {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const texts: string[] = []
  for await (const text of jsonRows(count, (i) => {
    now += takes
    return i
  }))
    texts.push(text)
  return texts
}

test.each([
  ['quickly', 0, 201, ['[0', ',200]']],
  ['slowly', 2, 4, ['[0', ',3]']],
  ['not at all', 0, 0, ['[]']],
])('rows that are made %s are written in parts, which are one list', async (_, takes, count, ends) => {
  const texts = await written(count, takes)
  expect(texts).toHaveLength(ends.length)
  expect(JSON.parse(texts.join(''))).toEqual(Array.from({ length: count }, (_, i) => i))
  for (const [i, text] of texts.entries()) expect(i === 0 ? text.slice(0, 2) : text).toBe(ends[i])
})
