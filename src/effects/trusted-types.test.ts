import { expect, test } from 'vitest'
import { markupOf, scriptUrlOf } from './trusted-types.ts'

test('text and links of a map stay markup', () => {
  const sources =
    '© GeoNames | <a href="https://protomaps.com" target="_blank" rel="noopener noreferrer">Protomaps</a> &amp; others'
  expect(markupOf(sources)).toBe(sources)
  expect(markupOf('')).toBe('')
})

test.each([
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="https://x.example" onclick="alert(1)">x</a>',
  '<a href="https://x.example"onclick="alert(1)">x</a>',
  '<A HREF=javascript:alert(1)>x</A>',
  'text <script>alert(1)</script>',
  '<a\nhref="https://x.example">x</a><svg/onload=alert(1)>',
])('%s is shown as text', (html) => {
  expect(markupOf(html)).not.toContain('<')
})

test('workers are files of our own server', () => {
  const origin = 'https://fleet.example'
  expect(scriptUrlOf('/assets/worker.js', origin)).toBe('/assets/worker.js')
  expect(scriptUrlOf('https://fleet.example/assets/worker.js', origin)).toMatch(/worker/)
  for (const url of ['https://elsewhere.example/x.js', '//elsewhere.example/x.js', 'data:text/javascript,1'])
    expect(() => scriptUrlOf(url, origin)).toThrow('another server')
})
