import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { TeltonikaFrames } from '#machines/contracts/scenario.ts'
import { FrameError } from '../protocol.ts'
import { type AvlRecord, crc16, decodeFrame, frameLength } from './codec.ts'

const { frames } = decodeJson(
  readFileSync(new URL('../../../../fixtures/teltonika/frames.json', import.meta.url), 'utf8'),
  TeltonikaFrames,
)
const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const element = (record: AvlRecord | undefined, id: number): string =>
  Buffer.from(record?.elements.find((one) => one.id === id)?.bytes ?? []).toString('hex')
/** The same frame with other data, its length and checksum set right. */
function sealed(data: Uint8Array): Uint8Array {
  const frame = new Uint8Array(data.length + 12)
  frame.set(data, 8)
  new DataView(frame.buffer).setUint32(4, data.length)
  new DataView(frame.buffer).setUint32(data.length + 8, crc16(data))
  return frame
}

describe('frames captured from real trackers', () => {
  test('all decode, with as many records as they announce', () => {
    expect(frames.map(({ hex }) => decodeFrame(bytesOf(hex)).length)).toEqual(
      frames.map(({ records }) => records),
    )
    expect(frames.map(({ records }) => records)).toEqual([2, 1, 1, 3, 2, 2, 1, 1, 14, 4, 6, 1, 1])
  })

  test('codec 8: a vehicle at 94 km/h', () => {
    const [record] = decodeFrame(bytesOf(frames[12]?.hex ?? ''))
    expect(record).toMatchObject({
      at: Date.UTC(2017, 8, 26, 2, 56, 53),
      lng: 60.5131366,
      lat: 56.9463366,
      altitude: 267,
      angle: 185,
      satellites: 19,
      speed: 94,
      event: 0,
    })
    expect(record?.elements).toHaveLength(15)
    expect(element(record, 66)).toBe('381b')
  })

  test('codec 8: west and south are negative', () => {
    const [first] = decodeFrame(bytesOf(frames[8]?.hex ?? ''))
    expect([first?.lng, first?.lat]).toEqual([-8.6313433, 40.9420533])
    const [south] = decodeFrame(bytesOf(frames[4]?.hex ?? ''))
    expect([south?.lng, south?.lat]).toEqual([18.8357883, -33.9656016])
  })

  test('codec 8 extended: elements wider than a byte and of any length', () => {
    const [record] = decodeFrame(bytesOf(frames[2]?.hex ?? ''))
    expect(record?.elements).toHaveLength(29)
    expect(element(record, 287)).toBe('6981')
    expect(element(record, 11)).toBe('0000000214bf12fe')
    const [beacon] = decodeFrame(bytesOf(frames[5]?.hex ?? ''))
    expect(beacon?.event).toBe(385)
    expect(element(beacon, 385)).toBe('11210102030405060708090a0b0c0d0e0f10020b010ad0')
  })
})

describe('what is no frame', () => {
  const whole = bytesOf(frames[12]?.hex ?? '')
  const data = whole.subarray(8, -4)
  const changed = (at: number, byte: number): Uint8Array => {
    const copy = Uint8Array.from(data)
    copy[at < 0 ? copy.length + at : at] = byte
    return sealed(copy)
  }
  const fault = (frame: Uint8Array): string => {
    try {
      decodeFrame(frame)
    } catch (error) {
      if (error instanceof FrameError) return error.fault
    }
    return 'none'
  }

  test('is refused with its fault', () => {
    const flipped = Uint8Array.from(whole)
    flipped[20] = (flipped[20] as number) ^ 1
    expect(fault(whole)).toBe('none')
    expect(fault(flipped)).toBe('checksum')
    expect(fault(whole.subarray(0, -1))).toBe('length')
    expect(fault(Uint8Array.of(1, ...whole.subarray(1)))).toBe('preamble')
    expect(fault(changed(0, 0x0c))).toBe('codec')
    expect(fault(changed(1, 2))).toBe('record count')
    expect(fault(changed(-1, 2))).toBe('record count')
    expect(fault(changed(27, 14))).toBe('records')
    expect(fault(sealed(Uint8Array.of(8, 0, 9, 0)))).toBe('records')
  })

  test('is never waited for: a length beyond all devices is refused at once', () => {
    expect(frameLength(Uint8Array.of(0, 0, 0, 0, 0, 0, 64))).toBeUndefined()
    expect(() => frameLength(Uint8Array.of(0, 0, 0, 0, 0xff, 0, 0, 0))).toThrow(FrameError)
    expect(() => frameLength(Uint8Array.of(0, 7))).toThrow(FrameError)
  })

  test('never brings anything but a FrameError, whatever the bytes', () => {
    const noise = fc.uint8Array({ maxLength: 400 })
    const extended = fc.constantFrom(8, 0x8e)
    const sealedNoise = fc
      .tuple(extended, fc.nat(4), noise)
      .map(([codec, count, bytes]) => sealed(Uint8Array.of(codec, count, ...bytes, count)))
    const bent = fc
      .tuple(fc.nat(frames.length - 1), fc.array(fc.tuple(fc.nat(1024), fc.nat(255)), { maxLength: 6 }))
      .map(([which, changes]) => {
        const copy = Uint8Array.from(bytesOf(frames[which]?.hex ?? '').subarray(8, -4))
        for (const [at, byte] of changes) copy[at % copy.length] = byte
        return sealed(copy)
      })
    fc.assert(
      fc.property(fc.oneof(noise, sealedNoise, bent), (bytes) => {
        // bytes around the frame that a reader outside its bounds would meet
        const room = new Uint8Array(bytes.length + 64).fill(0xaa)
        room.set(bytes, 32)
        const frame = room.subarray(32, 32 + bytes.length)
        try {
          for (const { elements } of decodeFrame(frame))
            for (const one of elements)
              expect(one.bytes.byteOffset + one.bytes.length).toBeLessThanOrEqual(32 + bytes.length - 4)
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

test('the checksum is that of the published check value', () => {
  expect(crc16(new TextEncoder().encode('123456789'))).toBe(0xbb3d)
})
