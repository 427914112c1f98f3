import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLines } from './csv.ts'

test.each([
  ['', []],
  [
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n1,5;2',
    [
      ['a', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    '"a ""b"", c",d\n"two\nlines",',
    [
      ['a "b", c', 'd'],
      ['two\nlines', ''],
    ],
  ],
  ['a\n\nb', [['a'], [''], ['b']]],
])('%j', (text, lines) => {
  expect(csvLines(text)).toEqual(lines)
})

test('a quote that is not closed is named by its line', () => {
  expect(() => csvLines('a,b\n1,"2')).toThrow('line 2: a quote is not closed')
})

test('whatever cells hold, they are read as they were written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r', ' ', '1') })
  const width = fc.integer({ min: 2, max: 4 })
  const table = width.chain((n) => fc.array(fc.array(cell, { minLength: n, maxLength: n }), { minLength: 1 }))
  fc.assert(
    fc.property(table, (rows) => {
      const heading = rows[0]?.map((_, i) => `h${i}`) ?? []
      const all = [heading, ...rows]
      const text = all
        .map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','))
        .join('\r\n')
      expect(csvLines(text)).toEqual(all)
    }),
  )
})
