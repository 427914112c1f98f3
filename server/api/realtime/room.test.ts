import { expect, test, vi } from 'vitest'
import { decodeSeen } from './mark-read.ts'
import { roomAnswer } from './room.ts'

test.each([
  ['for a room', (message: unknown) => roomAnswer(message, 'u1').isIn],
  ['of what was seen', (message: unknown) => decodeSeen(message) !== undefined],
])(
  'a message %s that holds hundreds of lists is ignored, and not made a text for each of them',
  (_, taken) => {
    const lists: unknown = JSON.parse(`${'['.repeat(500)}1${']'.repeat(500)}`)
    const join = vi.spyOn(Array.prototype, 'join')
    const isTaken = taken({ userId: lists, upTo: lists })
    const times = join.mock.calls.length
    join.mockRestore()
    expect(isTaken).toBe(false)
    expect(times).toBeLessThan(100)
  },
)
