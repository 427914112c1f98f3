import { expect, test } from 'vitest'
import { foundLateText } from './found-late.ts'

const at = (clock: string): number => Date.parse(`2026-06-15T${clock}:00Z`)
const known = { since: at('11:10'), clearedAt: at('11:45'), receivedTo: at('14:02'), readingsLate: 7 }

test('what was found late says since when and until when it was out, since when that is known, and how late its readings were', () => {
  expect(foundLateText(known, 'UTC')).toBe(
    'Found late: out 11:10–11:45, known since 14:02 (7 readings, up to 2 h 52 min late)',
  )
  expect(foundLateText(known, 'Asia/Karachi')).toContain('out 16:10–16:45, known since 19:02')
})

test('what lasts has no end, one reading is one, and what is not counted is not said', () => {
  expect(foundLateText({ ...known, clearedAt: null, readingsLate: 1, receivedTo: at('12:10') }, 'UTC')).toBe(
    'Found late: out since 11:10, known since 12:10 (1 reading, up to 1 h late)',
  )
  expect(foundLateText({ ...known, readingsLate: null, receivedTo: at('11:15') }, 'UTC')).toBe(
    'Found late: out 11:10–11:45, known since 11:15 (up to 5 min late)',
  )
})

test('what is of another day than the one it began on has its day', () => {
  const later = {
    ...known,
    since: at('23:50'),
    clearedAt: at('23:50') + 30 * 60_000,
    receivedTo: at('14:02') + 3 * 86_400_000,
  }
  expect(foundLateText(later, 'UTC')).toBe(
    'Found late: out 23:50–16-06-2026 00:20, known since 18-06-2026 14:02 (7 readings, up to 62 h 12 min late)',
  )
  expect(foundLateText(later, 'Asia/Karachi')).toContain('out 04:50–05:20, known since 18-06-2026 19:02')
})
