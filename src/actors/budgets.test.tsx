import { afterEach, expect, test, vi } from 'vitest'
import { budgetsFor } from './budgets.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const look = (visibility: DocumentVisibilityState): void => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

test('budgets are asked for while somebody can see them, and at once when they are seen again', async () => {
  vi.useFakeTimers()
  const columns = { device: [], state: [], percent: [], most: [], exhaustsAt: [] }
  const ask = vi.fn().mockResolvedValue({ revision: 1, isWhole: true, told: 0, ...columns })
  const leave = budgetsFor({ fleet: {} } as never, { ask } as never, 'g').join()
  expect(ask).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ask).toHaveBeenCalledTimes(2)
  look('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledTimes(2)
  look('visible')
  expect(ask).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ask).toHaveBeenCalledTimes(4)
  leave()
  look('visible')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledTimes(4)
})

test('what was done while budgets are on their way is asked for as soon as they have come', async () => {
  vi.useFakeTimers()
  const columns = { device: [], state: [], percent: [], most: [], exhaustsAt: [] }
  const come: ((answer: object) => void)[] = []
  const ask = vi.fn(() => new Promise((resolve) => come.push(resolve)))
  const { news, join, again } = budgetsFor({ fleet: {} } as never, { ask } as never, 'g')
  const leave = join()
  again()
  again()
  expect(ask).toHaveBeenCalledTimes(1)
  come[0]?.({ revision: 1, isWhole: true, told: 1, ...columns })
  await vi.advanceTimersByTimeAsync(0)
  expect(ask).toHaveBeenCalledTimes(2)
  come[1]?.({ revision: 2, isWhole: true, told: 2, ...columns })
  await vi.advanceTimersByTimeAsync(0)
  expect(news.get().told).toBe(2)
  expect(ask).toHaveBeenCalledTimes(2)
  leave()
})
