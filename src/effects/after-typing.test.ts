import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { frameAfterTyping } from './after-typing.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => call())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function schedule() {
  const page = new EventTarget()
  const calls: number[] = []
  const soon = frameAfterTyping(page)
  return {
    calls,
    key: () => page.dispatchEvent(new Event('keydown')),
    ask: () => soon(() => calls.push(performance.now())),
  }
}

test('the next frame comes at once while nobody types', () => {
  const { ask, calls } = schedule()
  ask()
  expect(calls).toHaveLength(1)
})

test('while somebody types it waits until they pause', () => {
  const { ask, key, calls } = schedule()
  key()
  ask()
  vi.advanceTimersByTime(300)
  key()
  vi.advanceTimersByTime(399)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(1)
  expect(calls).toHaveLength(1)
})

test('who types on and on sees news every five seconds all the same', () => {
  const { ask, key, calls } = schedule()
  key()
  ask()
  for (let i = 0; i < 49; i++) {
    vi.advanceTimersByTime(100)
    key()
  }
  expect(calls).toEqual([])
  vi.advanceTimersByTime(100)
  expect(calls).toHaveLength(1)
})
