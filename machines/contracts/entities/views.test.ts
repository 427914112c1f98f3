import { is } from 'superstruct'
import { expect, test } from 'vitest'
import { ViewName, ViewPath } from './views.ts'

test.each(['/', '/?q=100%25&list=plate.at~-temperature', '/temperature/350000000000001?from=a..b'])(
  'a view leads to a page of the portal: %s',
  (path) => expect(is(path, ViewPath)).toBe(true),
)

test.each([
  ['another site', '//evil.example'],
  ['another site, as browsers read it', '/\\evil.example'],
  ['no page', 'https://evil.example'],
  ['a script', 'javascript:alert(1)'],
  ['nothing', ''],
  ['a blank', '/a b'],
  ['a line break', '/a\nb'],
  ['letters that no address has', '/ä'],
  ['too much', `/${'a'.repeat(2000)}`],
])('not to %s', (_, path) => expect(is(path, ViewPath)).toBe(false))

test('its name is a line of at most 60 characters', () => {
  expect([
    is('N-5 by night', ViewName),
    is(' ', ViewName),
    is('a\nb', ViewName),
    is('x'.repeat(61), ViewName),
  ]).toEqual([true, false, false, false])
})
