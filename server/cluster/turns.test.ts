import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work of one key waits for what was asked for before it, also where that fails; other keys do not', async () => {
  const inTurn = createTurns()
  const said: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate.promise
    said.push('a1')
    throw new Error('a1 fails')
  })
  const second = inTurn('a', async () => said.push('a2'))
  await inTurn('b', async () => said.push('b'))
  expect(said).toEqual(['b'])
  gate.resolve()
  await expect(first).rejects.toThrow('a1 fails')
  await second
  expect(said).toEqual(['b', 'a1', 'a2'])
})
