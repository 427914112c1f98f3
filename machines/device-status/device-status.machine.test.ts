import { describe, expect, test } from 'vitest'
import { given } from '../testing/given.ts'
import { type DeviceStatusEvent, deviceStatusMachine } from './device-status.machine.ts'

const start = Date.UTC(2026, 0, 15, 8)
const at = (minutes: number): number => start + minutes * 60_000
const input = { patience: 10 * 60_000 }
const reads = (minutes: number, unplug: boolean | null = false, stored = minutes): DeviceStatusEvent => ({
  type: 'reading',
  at: at(minutes),
  recordedAt: at(stored),
  unplug,
})
const until = (minutes: number): DeviceStatusEvent => ({ type: 'time.passed', now: at(minutes) })
const changed = (minutes: number, from: string, to: string, isFirst = false) => ({
  type: 'device-status.changed',
  at: at(minutes),
  data: { from, to, ...(isFirst && { isFirst }) },
})

describe('a device', () => {
  test('is disconnected until it is heard', () => {
    given(deviceStatusMachine, input, [until(500)])
      .when(reads(501))
      .emits({ state: 'online', facts: [changed(501, 'disconnected', 'online', true)] })
  })

  test('is heard for the first time once, however it begins', () => {
    given(deviceStatusMachine, input, [])
      .when(reads(0, false, 60))
      .emits({ state: 'offline', facts: [changed(0, 'disconnected', 'offline', true)] })
    given(deviceStatusMachine, input, [reads(0, true)])
      .when(reads(1))
      .emits({ state: 'online', facts: [changed(1, 'disconnected', 'online')] })
  })

  test('is offline once it was silent beyond patience, from then and not from when it was noticed', () => {
    given(deviceStatusMachine, input, [reads(0)])
      .when(until(10))
      .emits({ state: 'online', facts: [] })
    given(deviceStatusMachine, input, [reads(0)])
      .when(until(37))
      .emits({ state: 'offline', facts: [changed(10, 'online', 'offline')] })
    given(deviceStatusMachine, input, [reads(0), until(37)])
      .when(until(60))
      .emits({ state: 'offline', facts: [] })
  })

  test('tells a silence nobody noticed when it speaks again', () => {
    given(deviceStatusMachine, input, [reads(0)])
      .when(reads(30))
      .emits({ state: 'online', facts: [changed(10, 'online', 'offline'), changed(30, 'offline', 'online')] })
  })

  test('stays offline while it only sends what it kept, and is online with the first that is current', () => {
    const kept = [reads(0), until(60), reads(20, false, 60), reads(49, false, 60)]
    given(deviceStatusMachine, input, [reads(0), until(60)])
      .when(reads(20, false, 60))
      .emits({ state: 'offline', facts: [] })
    given(deviceStatusMachine, input, kept)
      .when(reads(55, false, 60))
      .emits({ state: 'online', facts: [changed(55, 'offline', 'online')] })
  })

  test('is disconnected when it says it lost its supply, until it says it has it', () => {
    given(deviceStatusMachine, input, [reads(0)])
      .when(reads(1, true))
      .emits({ state: { disconnected: 'unplugged' }, facts: [changed(1, 'online', 'disconnected')] })
    const unplugged = [reads(0), reads(1, true)]
    for (const still of [reads(2, null), reads(2, true), until(90)])
      given(deviceStatusMachine, input, unplugged)
        .when(still)
        .emits({ state: { disconnected: 'unplugged' }, facts: [] })
    given(deviceStatusMachine, input, unplugged)
      .when(reads(2))
      .emits({ state: 'online', facts: [changed(2, 'disconnected', 'online')] })
  })

  test('is not disturbed by a late word', () => {
    given(deviceStatusMachine, input, [reads(5)])
      .when(reads(4, true, 6))
      .emits({ state: 'online', facts: [] })
  })

  test('buys no patience with a clock that runs ahead, and is heard again when it is set right', () => {
    const ahead = [reads(120, false, 0)]
    given(deviceStatusMachine, input, ahead)
      .when(until(11))
      .emits({ state: 'offline', facts: [changed(10, 'online', 'offline')] })
    const { snapshot } = given(deviceStatusMachine, input, ahead).when(reads(3))
    expect(snapshot.context.heardAt).toBe(at(3))
  })
})
