import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work of one key waits for what was asked for before it, also where that fails; other keys do not', async () => {
  const inTurn = createTurns()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate.promise
    order.push('a1')
    throw new Error('a1 fails')
  })
  const second = inTurn('a', async () => order.push('a2'))
  await inTurn('b', async () => order.push('b'))
  expect(order).toEqual(['b'])
  gate.resolve()
  await expect(first).rejects.toThrow('a1 fails')
  await second
  expect(order).toEqual(['b', 'a1', 'a2'])
})
