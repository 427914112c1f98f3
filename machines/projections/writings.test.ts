import { expect, test } from 'vitest'
import type { WritingFact } from './writings.ts'
import { evolveWritings, NOTHING_LEFT, writingsOf } from './writings.ts'

const AT = 1_781_500_000_000
const facts = (leftOut?: number[]): WritingFact[] =>
  [
    { type: 'alert.raised', seq: 10, at: AT, data: { about: [5, 6], userId: 'u1', channel: 'email' } },
    { type: 'mail.sent', seq: 11, at: AT, data: { about: 10, ...(leftOut && { leftOut }) } },
  ] as unknown as WritingFact[]

function writtenOf(seq: number, leftOut?: number[]) {
  const writings = writingsOf({ seq, recordedAt: AT })
  for (const fact of facts(leftOut)) evolveWritings(writings, fact)
  return [...writings.written.values()].map(({ state, detail }) => ({ state, detail }))
}

test('who was sent a digest was told of what is in it, and not of what was left out', () => {
  expect(writtenOf(5)).toEqual([{ state: 'sent', detail: '' }])
  expect(writtenOf(5, [5])).toEqual([{ state: 'failed', detail: NOTHING_LEFT }])
  expect(writtenOf(6, [5])).toEqual([{ state: 'sent', detail: '' }])
})
