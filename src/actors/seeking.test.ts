import { expect, test } from 'vitest'
import type { Look, Shown } from '#machines/time-machine/time-machine.machine.ts'
import { createSeeking } from './seeking.ts'

const look = (at: number, of: Partial<Look> = {}): Look => ({
  ...{ at, view: 'then', isDifferencesOnly: false },
  ...of,
})

/** A server that answers when the test says so. */
function setUp() {
  const requests: { at: number; signal: AbortSignal; come(): void; fail(): void }[] = []
  /** each that is drawn, `~` while another one is wanted */
  const drawn: (number | string)[] = []
  const seeking = createSeeking(
    ({ at }, signal) =>
      new Promise<() => Shown>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')))
        const come = () =>
          resolve(() => {
            drawn.push(at)
            return { shown: at }
          })
        requests.push({ at, signal, come, fail: () => reject(new Error('out of order')) })
      }),
    ({ shown }) => drawn.push(`~${shown}`),
  )
  let wanted = new AbortController()
  /** as the machine does: nobody waits any more for the one before */
  const want = (to: Look): Promise<number | string> => {
    wanted.abort()
    wanted = new AbortController()
    return seeking.seek(to, wanted.signal).then(
      ({ shown }) => shown,
      ({ message }: Error) => message,
    )
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return { seeking, want, requests, drawn, settle, times: () => requests.map(({ at }) => at) }
}

test('of many that are wanted two are asked for at once, and then the newest', async () => {
  const { want, requests: requested, drawn, settle, times } = setUp()
  for (const at of [1, 2, 3, 4]) void want(look(at))
  const last = want(look(5))
  expect(times()).toEqual([1, 2])
  requested[0]?.come()
  await settle()
  expect(drawn, 'who draws the slider sees where it goes').toEqual([1, '~1'])
  expect(times()).toEqual([1, 2, 5])
  requested[2]?.come()
  expect(await last).toBe(5)
  requested[1]?.come()
  await settle()
  expect(drawn, 'nothing older comes after it').toEqual([1, '~1', 5])
})

test('what is on its way of another view is given up', async () => {
  const { want, requests: requested, drawn, settle } = setUp()
  void want(look(1))
  void want(look(2))
  const last = want(look(2, { view: 'now' }))
  expect(requested.map(({ signal }) => signal.aborted)).toEqual([true, true])
  await settle()
  requested[2]?.come()
  expect(await last).toBe(2)
  expect(drawn).toEqual([2])
})

test('one that fails on the way there keeps the newest from nothing, and the newest says why', async () => {
  const { want, requests: requested, drawn, settle, times } = setUp()
  void want(look(1))
  void want(look(2))
  const third = want(look(3))
  requested[0]?.fail()
  await settle()
  expect(times()).toEqual([1, 2, 3])
  requested[2]?.fail()
  expect(await third).toBe('out of order')
  expect(drawn).toEqual([])
})

test('once nothing is wanted nothing is drawn, and what waited is not asked for', async () => {
  const { want, seeking, requests: requested, drawn, settle, times } = setUp()
  for (const at of [1, 2, 3]) void want(look(at))
  seeking.stop()
  await settle()
  requested[0]?.come()
  await settle()
  expect([drawn, times()]).toEqual([[], [1, 2]])
  void want(look(4))
  expect(times()).toEqual([1, 2, 4])
})
