import { expect, test } from 'vitest'
import { createReadings, pushReading } from '../contracts/readings.ts'
import { progressOf } from '../rules/catching-up.ts'
import { applyCatchingUp, type CatchingUp, catchingUpFrom } from './catching-up.ts'
import { emptyLatest } from './latest.ts'

const MINUTE = 60_000

/** A batch of one device's readings, measured at these minutes and received at one. */
function take(catchingUp: CatchingUp, device: number, minutes: number[], received: number): void {
  const batch = createReadings(minutes.length)
  for (const minute of minutes) pushReading(batch, { device, at: minute * MINUTE })
  applyCatchingUp(catchingUp, () => 10 * MINUTE, batch, received * MINUTE)
}

const shown = ({ silences }: CatchingUp, no: number, now: number) => {
  const silence = silences.get(no)
  return silence && progressOf(silence, now * MINUTE)
}

test('a batch that brings the newest reading and what was missing before it is taken row by row', () => {
  const catchingUp = catchingUpFrom(emptyLatest(1))
  take(catchingUp, 7, [100], 100)
  take(catchingUp, 7, [161, 158, 152, 145, 137], 161)
  expect(shown(catchingUp, 7, 161)).toEqual({ came: 24, of: 61 })
  take(catchingUp, 7, [130, 121, 112, 106], 162)
  expect(catchingUp.silences.size).toBe(0)
})

test('a start goes on from the newest readings and the silences that were saved', () => {
  const latest = emptyLatest(1)
  latest.readings.at[0] = 100 * MINUTE
  const first = catchingUpFrom(latest)
  take(first, 0, [161, 155], 161)
  latest.readings.at[0] = 161 * MINUTE
  const second = catchingUpFrom(latest, first.silences)
  take(second, 0, [150], 162)
  expect(shown(second, 0, 162)).toEqual({ came: 11, of: 61 })
})

test('devices that came back with nothing to deliver are forgotten', () => {
  const catchingUp = catchingUpFrom(emptyLatest(1))
  for (const no of [1, 2]) take(catchingUp, no, [100], 100)
  for (const no of [1, 2]) take(catchingUp, no, [161], 161)
  expect(catchingUp.silences.size).toBe(2)
  take(catchingUp, 1, [180], 180)
  expect([...catchingUp.silences.keys()]).toEqual([1])
})
