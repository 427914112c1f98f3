import { expect, test } from 'vitest'
import { AS_OF_CALLS } from '#machines/contracts/calls/as-of-calls.ts'
import { createCommandKeys } from '../effects/command-keys.ts'
import type { Live, Root, TimeMachine } from './root.ts'
import { createStore } from './store.ts'
import { lookBack } from './time-machine.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 5, 15, 12)
const THEN = NOW - 60 * MINUTE

/** Stands at a time that is past and asks for the event before; `answer`: it comes. Nothing else is answered. */
function askForEvent() {
  let come = (_: { at: string | null }): void => {}
  let asked: unknown
  const commandKeys = createCommandKeys({ getItem: () => null, setItem: () => {} }, () => NOW)
  const root = {
    http: {
      ask: (call: unknown, request: unknown) =>
        new Promise((resolve) => {
          if (call !== AS_OF_CALLS.asOfEvent) return
          come = resolve
          asked = request
        }),
      askBytes: () => new Promise(() => {}),
    },
    clock: { now: () => NOW },
    link: createStore({}),
    commandKeys: async () => commandKeys,
  } as unknown as Root
  const live = { past: createStore<TimeMachine | undefined>(undefined), notifications: {} } as unknown as Live
  lookBack(root, live, 'g', THEN, 'now')
  const past = live.past.get() as TimeMachine
  const gone = past.goToEvent('before')
  return {
    live,
    past,
    asked,
    /** whether changes are refused */
    isHeld() {
      try {
        commandKeys.check()
        return false
      } catch {
        return true
      }
    },
    answer(at: number | null) {
      come({ at: at === null ? null : new Date(at).toISOString() })
      return gone
    },
  }
}

test('whoever asked for an event and has gone back to now before the answer stays there, and may change things', async () => {
  const { live, past, isHeld, answer } = askForEvent()
  await expect.poll(isHeld).toBe(true)
  past.actor.send({ type: 'leave' })
  await answer(THEN - 5 * MINUTE)
  expect(past.actor.getSnapshot().value).toBe('now')
  expect(live.past.get()).toBeUndefined()
  await expect.poll(isHeld).toBe(false)
})

test('whoever asked for an event and has gone to another time before the answer stays there', async () => {
  const { past, answer } = askForEvent()
  past.actor.send({ type: 'look.back', at: THEN - 20 * MINUTE, now: NOW })
  expect(await answer(THEN - 5 * MINUTE)).toBe(true)
  expect(past.actor.getSnapshot().context.at).toBe(THEN - 20 * MINUTE)
})

test('an event is gone to, and where there is none it is said', async () => {
  const there = askForEvent()
  expect(await there.answer(THEN - 5 * MINUTE)).toBe(true)
  expect(there.past.actor.getSnapshot().context.at).toBe(THEN - 5 * MINUTE)
  const nowhere = askForEvent()
  expect(await nowhere.answer(null)).toBe(false)
  expect(nowhere.past.actor.getSnapshot().context.at).toBe(THEN)
})

test('the event before is asked for in the view that one looks at', () => {
  const at = new Date(THEN).toISOString()
  expect(askForEvent().asked).toEqual({ query: { at, view: 'now', direction: 'before' } })
})
