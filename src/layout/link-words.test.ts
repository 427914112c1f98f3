import { beforeAll, expect, test } from 'vitest'
import { setTimeZone } from '../format/time.ts'
import { canRetry, wordsOf } from './link-words.ts'

const now = Date.UTC(2026, 5, 15, 9, 30)
beforeAll(() => setTimeZone('Asia/Karachi'))

test.each([
  [{ state: 'live', since: null, dataAt: now - 2000 }, 'live'],
  [{ state: 'live', since: null, dataAt: now - 90_000 }, 'live, data 1 min ago'],
  [{ state: 'catching-up', since: null, dataAt: null }, 'catching up'],
  [{ state: 'offline', since: Date.UTC(2026, 5, 15, 9, 2), dataAt: null }, 'offline since 14:02'],
  [{ state: 'offline', since: null, dataAt: null }, 'offline'],
  [{ state: 'offline', since: null, dataAt: null, hindrance: 'no-network' }, 'offline, no network'],
  [{ state: 'offline', since: null, dataAt: null, hindrance: 'trying' }, 'offline, trying'],
  [{ state: 'offline', since: null, dataAt: null, hindrance: 'waiting' }, 'offline'],
  [
    { state: 'offline', since: null, dataAt: null, hindrance: 'crowded' },
    'offline, too many windows of yours are open',
  ],
  [{ state: 'catching-up', since: null, dataAt: null, hindrance: 'no-answer' }, 'catching up, no answer yet'],
] as const)('%j reads "%s"', (status, words) => expect(wordsOf(status, now)).toBe(words))

test.each([
  ['no-network', false],
  ['trying', true],
  ['waiting', true],
  ['crowded', true],
  ['no-answer', true],
  [undefined, false],
] as const)('trying again helps where there is a network and something failed: %s', (hindrance, helps) =>
  expect(canRetry({ state: 'offline', since: null, dataAt: null, hindrance })).toBe(helps),
)
