import { Subject } from 'rxjs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Liveness } from '../streams/liveness.ts'
import { askAgain } from './ask-again.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it is asked as the link becomes live and after what failed meanwhile, and no more once the link is over', () => {
  const liveness$ = new Subject<Pick<Liveness, 'state' | 'isUnnotified'>>()
  const failed$ = new Subject<void>()
  let requests = 0
  askAgain(liveness$, failed$).subscribe(() => requests++)
  liveness$.next({ state: 'catching-up' })
  expect(requests).toBe(0)
  for (let second = 0; second < 10; second++) liveness$.next({ state: 'live' })
  // what others change is told, though notifications do not come
  liveness$.next({ state: 'catching-up', isUnnotified: true })
  expect(requests).toBe(1)
  failed$.next()
  vi.advanceTimersByTime(6_000)
  expect(requests).toBe(2)
  failed$.next()
  liveness$.complete()
  failed$.next()
  vi.advanceTimersByTime(60_000)
  expect(requests).toBe(2)
})
