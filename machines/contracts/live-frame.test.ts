import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeLiveFrame, encodeLiveFrame, type LiveFrame } from './live-frame.ts'

const row = fc.record({
  device: fc.nat(200_000),
  at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  temperature: fc.integer({ min: -0x8000, max: 0x7fff }),
  humidity: fc.integer({ min: 0, max: 0xffff }),
  state: fc.nat(255),
  place: fc.option(
    fc.record({
      lat: fc.integer({ min: -0x80000000, max: 90e6 }),
      lng: fc.integer({ min: -0x80000000, max: 180e6 }),
      speed: fc.nat(0xffff),
      heading: fc.nat(0xffff),
    }),
  ),
})

const frame = fc
  .record({
    prevSeq: fc.nat(),
    seq: fc.nat(),
    resumed: fc.boolean(),
    baseAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
    rows: fc.uniqueArray(row, { selector: (r) => r.device, maxLength: 40 }),
  })
  .map(({ rows, ...head }): LiveFrame => {
    rows.sort((a, b) => a.device - b.device)
    const moved = rows.flatMap((r, i) => (r.place === null ? [] : [{ i, ...r.place }]))
    return {
      ...head,
      device: Uint32Array.from(rows, (r) => r.device),
      at: Float64Array.from(rows, (r) => r.at),
      temperature: Int16Array.from(rows, (r) => r.temperature),
      humidity: Uint16Array.from(rows, (r) => r.humidity),
      state: Uint8Array.from(rows, (r) => r.state),
      movedRow: Uint32Array.from(moved, (m) => m.i),
      lat: Int32Array.from(moved, (m) => m.lat),
      lng: Int32Array.from(moved, (m) => m.lng),
      speed: Uint16Array.from(moved, (m) => m.speed),
      heading: Uint16Array.from(moved, (m) => m.heading),
    }
  })

const wire = (f: LiveFrame): ArrayBuffer => encodeLiveFrame(f).buffer as ArrayBuffer

describe('a live frame', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(frame, (f) => {
        expect(decodeLiveFrame(wire(f))).toEqual(f)
      }),
    )
  })

  test('cut short or with wrong bytes is refused or read within its bounds, never worse', () => {
    fc.assert(
      fc.property(frame, fc.nat(), fc.nat(255), fc.nat(), (f, place, byte, cut) => {
        const bytes = new Uint8Array(wire(f))
        bytes[place % bytes.length] = byte
        const broken = bytes.slice(0, bytes.length - (cut % 3)).buffer
        try {
          const { device, movedRow, lat } = decodeLiveFrame(broken)
          expect(movedRow.length).toBe(lat.length)
          for (const r of movedRow) expect(r).toBeLessThan(device.length)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
    )
  })

  test('refuses devices out of order', () => {
    const [f] = fc.sample(
      frame.filter((x) => x.device.length > 1),
      1,
    )
    if (f === undefined) throw new Error('no sample')
    expect(() => encodeLiveFrame({ ...f, device: f.device.toReversed() })).toThrow(RangeError)
  })

  test('costs eight bytes a row that stood and twenty that moved, all in all', () => {
    const n = 5000
    const f: LiveFrame = {
      prevSeq: 1,
      seq: 2,
      resumed: false,
      baseAt: 1_800_000_000_000,
      device: Uint32Array.from({ length: n }, (_, i) => i * 20),
      at: Float64Array.from({ length: n }, (_, i) => 1_800_000_000_000 + (i % 2000) - 1000),
      temperature: new Int16Array(n),
      humidity: new Uint16Array(n),
      state: new Uint8Array(n),
      movedRow: Uint32Array.from({ length: n / 2 }, (_, i) => i * 2),
      lat: new Int32Array(n / 2),
      lng: new Int32Array(n / 2),
      speed: new Uint16Array(n / 2),
      heading: new Uint16Array(n / 2),
    }
    expect(wire(f).byteLength / n).toBeLessThanOrEqual(8 + 12 / 2 + 1 / 8 + 0.1)
  })
})
