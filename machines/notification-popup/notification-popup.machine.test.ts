import { describe, expect, test } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { notificationPopupMachine } from './notification-popup.machine.ts'
import { notificationOf } from './notification-popup.samples.ts'
import { shouted } from './shouted.ts'

function started() {
  const shown: [count: number, newest: string | undefined][] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    notificationPopupMachine.provide({
      actions: { show: ({ context }) => void shown.push([context.count, context.newest?.thingName]) },
    }),
    { clock },
  ).start()
  return {
    shown,
    wait: (ms: number) => clock.increment(ms),
    notify: (name: string) => actor.send({ type: 'notify', notification: notificationOf(name) }),
    missed: (count: number) => actor.send({ type: 'missed', count }),
    gone: () => actor.send({ type: 'gone' }),
  }
}

describe('a popup', () => {
  test('comes ten milliseconds after its notification', () => {
    const { shown, wait, notify } = started()
    notify('Reefer 1')
    wait(9)
    expect(shown).toEqual([])
    wait(1)
    expect(shown).toEqual([[1, 'Reefer 1']])
  })

  test('tells of a burst as one', () => {
    const { shown, wait, notify } = started()
    for (let i = 1; i <= 40; i++) notify(`Reefer ${i}`)
    wait(10)
    expect(shown).toEqual([[40, 'Reefer 40']])
  })

  test('that is shown takes in what comes, four times a second at most', () => {
    const { shown, wait, notify } = started()
    notify('Reefer 1')
    wait(10)
    for (let i = 2; i <= 11; i++) {
      notify(`Reefer ${i}`)
      wait(50)
    }
    expect(shown).toEqual([
      [1, 'Reefer 1'],
      [6, 'Reefer 6'],
      [11, 'Reefer 11'],
    ])
  })

  test('that is gone counts anew, and forgets nothing it had not said', () => {
    const { shown, wait, notify, gone } = started()
    notify('Reefer 1')
    wait(10)
    gone()
    notify('Reefer 2')
    wait(10)
    notify('Reefer 3')
    gone()
    wait(10)
    expect(shown).toEqual([
      [1, 'Reefer 1'],
      [1, 'Reefer 2'],
      [1, 'Reefer 3'],
    ])
  })

  test('tells how many were missed together with those that come', () => {
    const { shown, wait, notify, missed } = started()
    missed(37)
    notify('Reefer 1')
    wait(10)
    expect(shown).toEqual([[38, 'Reefer 1']])
  })
})

describe('a notification makes itself noticed', () => {
  const ALL = { warningPopup: true, buzzer: true, vehicleOffline: true, vehicleOnline: true }
  const settings = (more: Partial<typeof ALL>) => ({ ...ALL, ...more }) as Parameters<typeof shouted>[1]
  const unplugged = notificationOf('Reefer 1', { type: 'vehicleOffline' })
  const instant = new Date(0).toISOString()
  const late = { since: instant, openedAt: instant, knownSince: instant, readings: 7 }
  const plugged = notificationOf('Reefer 1', { type: 'vehicleOnline' })

  test.each([
    [notificationOf('Reefer 1'), {}, { popup: true, sound: true }],
    [notificationOf('Reefer 1'), { warningPopup: false }, { popup: false, sound: true }],
    [notificationOf('Reefer 1'), { buzzer: false }, { popup: true, sound: false }],
    [notificationOf('Reefer 1'), { vehicleOffline: false }, { popup: true, sound: true }],
    [unplugged, {}, { popup: true, sound: true }],
    [unplugged, { vehicleOffline: false }, { popup: false, sound: false }],
    [plugged, { vehicleOffline: false }, { popup: true, sound: true }],
    [plugged, { vehicleOnline: false }, { popup: false, sound: false }],
    [notificationOf('Reefer 1', { foundLate: late }), {}, { popup: true, sound: true }],
    [notificationOf('Reefer 1', { foundLate: late, clearedAt: instant }), {}, { popup: true, sound: false }],
    [notificationOf('Reefer 1', { isRepeat: true }), {}, { popup: false, sound: false }],
  ])('%j with %j: %j', (notification, more, expected) => {
    expect(shouted(notification, settings(more))).toEqual(expected)
  })
})
