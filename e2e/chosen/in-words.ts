import { stripVTControlCharacters } from 'node:util'

/**
 * What an assertion of Playwright's says, in two phrases: of its message the lines Locator, Expected, Received and Error;
 * of any other error the first line is what was seen.
 */
export function inWords(message: string): { expected: string; seen: string } {
  const lines = stripVTControlCharacters(message).split('\n')
  const after = (name: RegExp): string | undefined => {
    const line = lines.find((one) => name.test(one))
    return line?.replace(name, '').trim()
  }
  const first = (lines.find((line) => line.trim() !== '') ?? 'no word of why').replace(/^Error: /, '').trim()
  const locator = after(/^Locator: */)
  const expected = after(/^Expected[^:]*: */)
  const received = after(/^Received[^:]*: */)
  const error = after(/^Error: (?=element)/)
  if (expected === undefined) return { expected: 'the step to come about', seen: first }
  const seen = [received ?? error ?? first, received === undefined ? undefined : error]
    .filter(Boolean)
    .join(', ')
  const what = locator ?? (first.includes('expect(') ? undefined : first)
  return { expected: [what, expected].filter(Boolean).join(': '), seen }
}
