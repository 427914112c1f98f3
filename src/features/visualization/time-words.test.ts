import { expect, test } from 'vitest'
import { setTimeZone } from '../../format/time.ts'
import { captionOf, excessInWords, minutesInWords, weeksOf } from './time-words.ts'

test('how far for how long is said in the unit that was out, in both where both were', () => {
  expect(excessInWords(1840.4, 0)).toEqual(['1,840 degree-minutes'])
  expect(excessInWords(0, 1)).toEqual(['1 percent-minute'])
  expect(excessInWords(12, 30)).toEqual(['12 degree-minutes', '30 percent-minutes'])
  expect(excessInWords(0.2, 0)).toEqual(['under 1 degree-minute'])
  expect(excessInWords(0, 0)).toEqual(['0 degree-minutes'])
  expect(excessInWords(null, null)).toEqual([])
})

test('minutes are hours and days where they are many', () => {
  expect([0.5, 12, 92, 1500].map(minutesInWords)).toEqual(['30 s', '12 min', '1 h 32', '1 d 1 h'])
})

test('a saved chart says of when it is in the documents’ format', () => {
  setTimeZone('Asia/Karachi')
  const range = { from: Date.UTC(2026, 5, 13, 19, 4), to: Date.UTC(2026, 5, 15, 9) }
  expect(captionOf('Violations · Lahore', range)).toBe(
    'Violations · Lahore · 14/06/2026, 12:04 am to 15/06/2026, 2:00 pm Asia/Karachi',
  )
})

test('weeks begin on Monday, with room for the days that are not of the range', () => {
  const days = ['2026-06-13', '2026-06-14', '2026-06-15'].map((day) => ({ day }))
  const weeks = weeksOf(days).map((week) => week.map((one) => one?.day.slice(-2)))
  expect(weeks).toEqual([
    [undefined, undefined, undefined, undefined, undefined, '13', '14'],
    ['15', undefined, undefined, undefined, undefined, undefined, undefined],
  ])
})
