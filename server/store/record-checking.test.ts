import { expect, test } from 'vitest'
import { createRecordChecking } from './record-checking.ts'

test('a round is read once a day, and only where the node leads', async () => {
  let [now, leads, calls] = [0, false, 0]
  const check = async () => ++calls % 3 === 0
  const checking = createRecordChecking({ check }, () => leads, { wall: () => 5, uptime: () => now })
  await checking.goOn()
  expect(calls).toBe(0)
  leads = true
  for (let i = 0; i < 10; i++) await checking.goOn()
  expect(calls).toBe(3)
  expect(checking.stats()).toEqual({ roundAt: 5, rounds: 1 })
  now = 86_400_000
  for (let i = 0; i < 10; i++) await checking.goOn()
  expect(checking.stats()).toEqual({ roundAt: 5, rounds: 2 })
  expect(calls).toBe(6)
})
