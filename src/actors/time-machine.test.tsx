import { expect, test } from 'vitest'
import { AS_OF_CALLS } from '#machines/contracts/calls/as-of-calls.ts'
import { encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { createCommandKeys } from '../effects/command-keys.ts'
import { createFleet } from '../read-model/fleet.ts'
import { imeiOf, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { dashboardOf } from './dashboard-actor.ts'
import type { Live, Root, TimeMachine } from './root.ts'
import { createStore } from './store.ts'
import { lookBack } from './time-machine.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 5, 15, 12)
const THEN = NOW - 60 * MINUTE
const PICKED = new Set([imeiOf(1), imeiOf(2)])

type Call = { call: unknown; request: { query?: unknown }; answer: (body: unknown) => void; fail: () => void }

/** Looks back at a time that is past; what is asked for is answered by hand, the fleet at once where there is one. */
function lookingBack(fleet?: ArrayBuffer) {
  const calls: Call[] = []
  /** how the fleet was asked for */
  const fleets: { isBackground?: boolean }[] = []
  const time = { now: NOW }
  const commandKeys = createCommandKeys({ getItem: () => null, setItem: () => {} }, () => NOW)
  const root = {
    http: {
      ask: (call: unknown, request: Call['request']) =>
        new Promise((answer, fail) =>
          calls.push({ call, request, answer, fail: () => fail(new Error('cut')) }),
        ),
      askBytes: async (
        _call: unknown,
        _request: unknown,
        _type: string,
        options: (typeof fleets)[number],
      ) => {
        fleets.push(options)
        return fleet ?? new Promise(() => {})
      },
    },
    clock: { now: () => time.now },
    link: createStore({}),
    commandKeys: async () => commandKeys,
  } as unknown as Root
  const live = {
    fleet: createFleet((call) => call()),
    past: createStore<TimeMachine | undefined>(undefined),
    notifications: {},
  } as unknown as Live
  dashboardOf(live.fleet).send({ type: 'devices.pick', devices: PICKED })
  const look = (at: number): void => lookBack(root, live, 'g', at, 'now')
  look(THEN)
  const requested = (call: unknown) => calls.filter((one) => one.call === call)
  return { live, past: live.past.get() as TimeMachine, commandKeys, fleets, time, look, requested }
}

const eventAt = (at: number) => ({ at: new Date(at).toISOString() })

/** Stands at a time that is past and asks for the event before; `answer`: it comes. Nothing else is answered. */
async function askForEvent() {
  const { live, past, commandKeys, requested } = lookingBack()
  const gone = past.goToEvent('before')
  await expect.poll(() => requested(AS_OF_CALLS.asOfEvent)).toHaveLength(1)
  const [event] = requested(AS_OF_CALLS.asOfEvent)
  return {
    live,
    past,
    requested: event?.request,
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
      event?.answer(at === null ? { at } : eventAt(at))
      return gone
    },
  }
}

test('the dashboard of then begins with what is picked on that of now, and changes nothing there', () => {
  const { live, past } = lookingBack()
  const [now, then] = [dashboardOf(live.fleet), dashboardOf(past.fleet)]
  expect(then.getSnapshot().context.devices).toBe(PICKED)
  then.send({ type: 'filters.clear' })
  expect(now.getSnapshot().context.devices).toBe(PICKED)
})

test('whoever asked for an event and has gone back to now before the answer stays there, and may change things', async () => {
  const { live, past, isHeld, answer } = await askForEvent()
  await expect.poll(isHeld).toBe(true)
  past.actor.send({ type: 'leave' })
  await answer(THEN - 5 * MINUTE)
  expect(past.actor.getSnapshot().value).toBe('now')
  expect(live.past.get()).toBeUndefined()
  await expect.poll(isHeld).toBe(false)
})

test('whoever asked for an event and has gone to another time before the answer stays there', async () => {
  const { past, answer } = await askForEvent()
  past.actor.send({ type: 'look.back', at: THEN - 20 * MINUTE, now: NOW })
  expect(await answer(THEN - 5 * MINUTE)).toBe(true)
  expect(past.actor.getSnapshot().context.at).toBe(THEN - 20 * MINUTE)
})

test('an event is gone to, and where there is none it is said', async () => {
  const there = await askForEvent()
  expect(await there.answer(THEN - 5 * MINUTE)).toBe(true)
  expect(there.past.actor.getSnapshot().context.at).toBe(THEN - 5 * MINUTE)
  const nowhere = await askForEvent()
  expect(await nowhere.answer(null)).toBe(false)
  expect(nowhere.past.actor.getSnapshot().context.at).toBe(THEN)
})

test('the event before is asked for in the view that one looks at', async () => {
  const at = new Date(THEN).toISOString()
  expect((await askForEvent()).requested).toEqual({ query: { at, view: 'now', direction: 'before' } })
})

test('what plays stands still for the event one asked for, and each press goes on from where the one before led', async () => {
  const { past, requested } = lookingBack(encodeFleetSnapshot(snapshotOf(1, [])).buffer)
  await expect.poll(() => past.actor.getSnapshot().value).toEqual({ past: 'standing' })
  past.actor.send({ type: 'play' })
  const events = () => requested(AS_OF_CALLS.asOfEvent)
  const gone = [past.goToEvent('before'), past.goToEvent('before')]
  expect(past.actor.getSnapshot().value).toEqual({ past: 'standing' })
  await expect.poll(events).toHaveLength(1)
  events()[0]?.answer(eventAt(THEN - 5 * MINUTE))
  await expect.poll(events).toHaveLength(2)
  expect(events()[1]?.request).toMatchObject({ query: eventAt(THEN - 5 * MINUTE) })
  events()[1]?.answer(eventAt(THEN - 9 * MINUTE))
  expect(await Promise.all(gone)).toEqual([true, true])
  expect(past.actor.getSnapshot().context.at).toBe(THEN - 9 * MINUTE)
})

test('whoever goes to another time while several events are asked for stays there, and no more are asked for', async () => {
  const { past, requested } = lookingBack()
  const gone = [past.goToEvent('before'), past.goToEvent('before')]
  const events = () => requested(AS_OF_CALLS.asOfEvent)
  await expect.poll(events).toHaveLength(1)
  past.actor.send({ type: 'look.back', at: THEN - 30 * MINUTE, now: NOW })
  events()[0]?.answer(eventAt(THEN - 5 * MINUTE))
  expect(await Promise.all(gone)).toEqual([true, true])
  expect(events()).toHaveLength(1)
  expect(past.actor.getSnapshot().context.at).toBe(THEN - 30 * MINUTE)
})

test('that a time does not come is said in the bar, and leads nobody to the page of the network', async () => {
  const { fleets } = lookingBack()
  await expect.poll(() => fleets).toMatchObject([{ isBackground: true }])
})

test('the hours of the slider are asked for again where they did not come, and once they are an hour old', async () => {
  const { past, look, time, requested } = lookingBack()
  const overviews = () => requested(AS_OF_CALLS.asOfOverview)
  expect(overviews()).toHaveLength(1)
  overviews()[0]?.fail()
  await expect
    .poll(() => {
      look(THEN)
      return overviews().length
    })
    .toBe(2)
  overviews()[1]?.answer('the hours')
  await expect.poll(() => past.overview.get()).toBe('the hours')
  time.now += 60 * MINUTE - 1
  look(THEN)
  expect(overviews()).toHaveLength(2)
  time.now += 1
  look(THEN - MINUTE)
  expect(overviews()).toHaveLength(3)
})
