import { beforeAll, expect, test } from 'vitest'
import { setTimeZone } from '../format/time.ts'
import { wordsOf } from './link-words.ts'

const now = Date.UTC(2026, 5, 15, 9, 30)
beforeAll(() => setTimeZone('Asia/Karachi'))

test.each([
  [{ state: 'live', since: null, dataAt: now - 2000 }, 'live'],
  [{ state: 'live', since: null, dataAt: now - 90_000 }, 'live, data 1 min ago'],
  [{ state: 'catching-up', since: null, dataAt: null }, 'catching up'],
  [{ state: 'offline', since: Date.UTC(2026, 5, 15, 9, 2), dataAt: null }, 'offline since 14:02'],
  [{ state: 'offline', since: null, dataAt: null }, 'offline'],
] as const)('%j reads "%s"', (status, words) => expect(wordsOf(status, now)).toBe(words))
