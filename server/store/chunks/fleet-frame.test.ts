import fc from 'fast-check'
import { expect, test } from 'vitest'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { emptyLatest, type Latest } from '#machines/projections/latest.ts'
import { decodeFrame, encodeFrame, FRAME_FIELDS } from './fleet-frame.ts'

type Change = {
  device: number
  at: number
  state: number
  lat: number
  temperature: number
  humidity: number
}

const change = (at: fc.Arbitrary<number>): fc.Arbitrary<Change> =>
  fc.record({
    device: fc.nat(40),
    at,
    state: fc.nat(255),
    lat: fc.oneof(fc.integer({ min: -90e6, max: 90e6 }), fc.constant(READING_FIELDS.lat.missing)),
    temperature: fc.oneof(
      fc.integer({ min: -20_000, max: 30_000 }),
      fc.constant(READING_FIELDS.temperature.missing),
    ),
    humidity: fc.oneof(fc.nat(10_000), fc.constant(READING_FIELDS.humidity.missing)),
  })
const whole = fc.integer({ min: 0, max: 4_102_444_800_000 })
const any = fc.double({ min: 0, max: 4_102_444_800_000, noNaN: true })

/** What a frame holds of a fleet, as plain values. */
const seen = ({ size, state, readings }: Latest) =>
  Array.from({ length: size }, (_, i) => [
    ...[readings.at[i], state[i]],
    ...FRAME_FIELDS.map((name) => readings[name][i]),
  ])

function put(fleet: Latest, { device, at, state, lat, temperature, humidity }: Change): void {
  fleet.readings.at[device] = at
  fleet.readings.lat[device] = lat
  fleet.readings.temperature[device] = temperature
  fleet.readings.humidity[device] = humidity
  fleet.state[device] = state
  fleet.size = Math.max(fleet.size, device + 1)
}

test('a fleet comes back exactly, whole and by what changed, as it grows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof(change(whole), change(any)), { maxLength: 20 }), { maxLength: 6 }),
      (steps) => {
        const fleet = emptyLatest(64)
        // the reader begins small, and so does what the writer keeps
        let kept = decodeFrame(encodeFrame(fleet))
        let read = decodeFrame(encodeFrame(fleet))
        for (const changes of steps) {
          for (const one of changes) put(fleet, one)
          read = decodeFrame(encodeFrame(fleet, kept), read)
          kept = decodeFrame(encodeFrame(fleet))
          expect(seen(read)).toEqual(seen(fleet))
          expect(seen(kept)).toEqual(seen(fleet))
        }
      },
    ),
  )
})

test('a fleet that stands takes a few bytes upon the one before, however large it is', () => {
  const fleet = emptyLatest(100_000)
  fleet.size = 100_000
  expect(encodeFrame(fleet, decodeFrame(encodeFrame(fleet))).length).toBeLessThan(100)
})

test('what is no frame is refused, and so is one without the one that it stands upon', () => {
  const fleet = emptyLatest(4)
  fleet.size = 4
  expect(() => decodeFrame(Uint8Array.of(9, 1, 0))).toThrow('frame: version 9 is not known')
  expect(() => decodeFrame(encodeFrame(fleet, fleet))).toThrow('frame: the one it stands upon is missing')
  expect(() => decodeFrame(encodeFrame(fleet).slice(0, 3))).toThrow(RangeError)
})
