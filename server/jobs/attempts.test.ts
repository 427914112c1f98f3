import { expect, test } from 'vitest'
import { StoreUnavailable } from '../store/store.ts'
import { createAttempts } from './attempts.ts'

test('what fails is told once, left alone for a minute and then tried again; a store that is away concerns all', async () => {
  let now = 0
  const warned: string[] = []
  const attempts = createAttempts({
    what: 'that a report is outdated',
    warn: (message) => warned.push(message),
    uptime: () => now,
  })
  const fails = () => Promise.reject(new RangeError('Invalid time value'))
  expect(await attempts.attempt('r1', fails)).toBe(false)
  expect(warned).toEqual([
    'that a report is outdated cannot be said of r1, trying again in a minute: RangeError: Invalid time value',
  ])
  now = 59_999
  expect([attempts.mayTry('r1'), attempts.mayTry('r2')]).toEqual([false, true])
  now = 60_000
  expect(attempts.mayTry('r1')).toBe(true)
  await expect(
    attempts.attempt('r1', () => Promise.reject(new StoreUnavailable('disk full'))),
  ).rejects.toThrow(StoreUnavailable)
  expect(await attempts.attempt('r1', async () => {})).toBe(true)
  expect([attempts.mayTry('r1'), warned.length]).toEqual([true, 1])
})
