import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDownloadLinks } from './download-links.ts'

const HOUR = 3_600_000
const clock = { at: Date.parse('2026-11-21T04:00:00Z'), now: () => clock.at }
const links = createDownloadLinks('a secret of the tests, long enough', clock)

/** What stands in an address, as the route reads it. */
function read(address: string) {
  const { pathname, searchParams } = new URL(address, 'https://portal.example')
  return {
    id: pathname.split('/').at(-1) ?? '',
    file: Number(searchParams.get('file') ?? 0),
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature') ?? '',
  }
}

test('a link is good for some hours by the clock of the server', () => {
  const link = read(links.to('r-1', 0))
  expect(links.check(link)).toBe('good')
  clock.at += 4 * HOUR - 1
  expect(links.check(link)).toBe('good')
  clock.at += 1
  expect(links.check(link)).toBe('expired')
  expect(links.check(read(links.to('r-1', 0)))).toBe('good')
})

test('one file of one report, until one instant: another in its place is wrong, however it was made', () => {
  const id = fc.stringMatching(/^[a-z0-9-]{1,20}$/)
  const of = fc.record({
    id,
    file: fc.nat(3),
    expires: fc.integer({ min: clock.at + 1, max: clock.at + HOUR }),
  })
  fc.assert(
    fc.property(of, of, (mine, other) => {
      const { signature } = read(links.to(mine.id, mine.file, mine.expires))
      const isSame = JSON.stringify(mine) === JSON.stringify(other)
      expect(links.check({ ...mine, signature })).toBe('good')
      expect(links.check({ ...other, signature })).toBe(isSame ? 'good' : 'wrong')
      expect(createDownloadLinks('another secret of the tests', clock).check({ ...mine, signature })).toBe(
        'wrong',
      )
    }),
  )
})

test.each(['', 'x', 'x'.repeat(43), '\u{1f600}'.repeat(20)])('a guess is wrong: %j', (signature) =>
  expect(links.check({ id: 'r-1', file: 0, expires: clock.at + HOUR, signature })).toBe('wrong'),
)
