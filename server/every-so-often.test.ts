import { expect, onTestFinished, test, vi } from 'vitest'
import { everySoOften } from './every-so-often.ts'

test('what fails is tried again each second, and operators are told each reason once until it goes well', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const warned: string[] = []
  const outcomes = ['malformed', 'malformed', 'disk full', 'well', 'disk full', 'disk full']
  const work = async () => {
    const outcome = outcomes.shift()
    if (outcome === 'well') return false
    throw new Error(outcome)
  }
  const working = everySoOften('compaction and retention', work, (message) => warned.push(message))
  await vi.advanceTimersByTimeAsync(6_000)
  await working.stop()
  expect(outcomes).toEqual([])
  expect(warned).toEqual(
    ['malformed', 'disk full', 'disk full'].map(
      (reason) => `compaction and retention cannot go on, retrying: Error: ${reason}`,
    ),
  )
})
