import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ContractError } from './decode.ts'
import { decodeFleetSnapshot, encodeFleetSnapshot, type FleetSnapshot } from './fleet-snapshot.ts'
import {
  copyReading,
  createReadings,
  decodeReadings,
  encodeReadings,
  LATE_UNKNOWN,
  lateByOf,
  noteReceived,
  pushReading,
  READING_FIELD_NAMES,
  READING_FIELDS,
  type Reading,
  type ReadingField,
  readingAt,
  sliceReadings,
} from './readings.ts'

const fields = Object.fromEntries(
  READING_FIELD_NAMES.map((name) => {
    const { min, max, scale } = READING_FIELDS[name]
    const stored = fc.integer({ min: min * scale, max: max * scale })
    return [
      name,
      fc.option(
        stored.map((v) => v / scale),
        { nil: undefined },
      ),
    ]
  }),
) as { [F in ReadingField]: fc.Arbitrary<number | undefined> }
const reading: fc.Arbitrary<Reading> = fc
  .record({ device: fc.nat(200_000), at: fc.nat({ max: 4e12 }), ...fields })
  .map((row) => Object.fromEntries(Object.entries(row).filter(([, v]) => v !== undefined)) as Reading)
const readings = fc.array(reading, { maxLength: 30 })

/** two readings of device 7 as the first release wrote a batch */
const VERSION_1 =
  '01000000020000000000000000000000000000384d2579420000713a4d2579420700000007000000000000800000' +
  '00800000008000000080ffffffff00000000ffffffff000000009001f40100000000008000800000000070177017' +
  '00000000ffff000000000000ffff000000000000ffffffff00000000ffffffff000000000101000000000000ffff' +
  '000000000000'

function columnsOf(rows: Reading[]) {
  const columns = createReadings(rows.length)
  for (const row of rows) pushReading(columns, row)
  return columns
}

describe('readings as columns', () => {
  test('come out as they went in, missing values missing', () => {
    fc.assert(
      fc.property(readings, (rows) => {
        const columns = decodeReadings(encodeReadings(columnsOf(rows)))
        expect(rows.map((_, i) => readingAt(columns, i))).toEqual(rows)
      }),
    )
  })

  test('of an earlier release are read, with nothing said of what it did not know', () => {
    const columns = decodeReadings(ofHex(VERSION_1))
    const rest = { device: 7, humidity: 60, ignition: 1 }
    expect([0, 1].map((i) => readingAt(columns, i))).toEqual([
      { ...rest, at: 1_728_000_000_000, temperature: 4 },
      { ...rest, at: 1_728_000_010_000, temperature: 5 },
    ])
    expect([...columns.lateBy]).toEqual([LATE_UNKNOWN, LATE_UNKNOWN])
  })

  test('know how late they were received: from two minutes on, or ahead of their time', () => {
    const at = 1_728_000_000_000
    const columns = columnsOf([0, 1, 120, 121, 10_320].map((s) => ({ device: 1, at: at - s * 1000 })))
    noteReceived(columns, at)
    expect([...columns.lateBy]).toEqual([0, 0, 0, 121, 10_320])
    expect(lateByOf(at + 1, at)).toBe(-1)
    expect(lateByOf(at + 180_000, at)).toBe(-180)
  })

  test('are read wherever in a buffer they lie', () => {
    fc.assert(
      fc.property(readings, fc.nat(20), (rows, shift) => {
        const bytes = encodeReadings(columnsOf(rows))
        const room = new Uint8Array(bytes.length + shift)
        room.set(bytes, shift)
        expect(decodeReadings(room.subarray(shift)).at).toEqual(columnsOf(rows).at)
      }),
    )
  })

  test('cut, grown or garbled are refused, or read within their bounds', () => {
    fc.assert(
      fc.property(
        readings,
        fc.integer({ min: -40, max: 40 }),
        fc.nat(),
        fc.nat(255),
        (rows, change, place, byte) => {
          const bytes = encodeReadings(columnsOf(rows))
          const broken = new Uint8Array(Math.max(0, bytes.length + change))
          broken.set(bytes.subarray(0, broken.length))
          if (broken.length > 0) broken[place % broken.length] = byte
          try {
            const { length, at, unplug } = decodeReadings(broken)
            expect([at.length, unplug.length]).toEqual([length, length])
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError)
          }
        },
      ),
    )
  })

  test('that are full say so', () => {
    const full = columnsOf([{ device: 1, at: 1 }])
    expect(() => pushReading(full, { device: 1, at: 2 })).toThrow(RangeError)
    expect(() => copyReading(full, full, 0)).toThrow(RangeError)
  })

  test('are sliced and copied row by row', () => {
    fc.assert(
      fc.property(readings, fc.nat(30), fc.nat(30), (rows, a, b) => {
        const from = Math.min(a, b, rows.length)
        const to = Math.min(Math.max(a, b), rows.length)
        const part = sliceReadings(columnsOf(rows), from, to)
        expect(Array.from({ length: part.length }, (_, i) => readingAt(part, i))).toEqual(
          rows.slice(from, to),
        )
        const copy = createReadings(part.length)
        for (let i = 0; i < part.length; i++) copyReading(copy, part, i)
        expect(copy).toEqual(part)
      }),
    )
  })

  test('cost at most 40 bytes a reading', () => {
    const rows = Array.from({ length: 1000 }, (_, i): Reading => ({ device: i, at: i }))
    expect(encodeReadings(columnsOf(rows)).length / 1000).toBeLessThanOrEqual(40)
  })
})

const device = fc.record({
  at: fc.nat({ max: 4e12 }),
  place: fc.tuple(fc.integer({ min: -90e6, max: 90e6 }), fc.integer({ min: -180e6, max: 180e6 })),
  temperature: fc.integer({ min: -0x8000, max: 0x7fff }),
  humidity: fc.nat(0xffff),
  state: fc.nat(255),
  texts: fc.tuple(fc.string({ unit: 'grapheme' }), fc.string(), fc.string()),
})

const fleet = fc
  .record({ seq: fc.nat(), now: fc.nat({ max: 4e12 }), rows: fc.array(device, { maxLength: 30 }) })
  .map(({ seq, now, rows }): FleetSnapshot & { texts: string[] } => {
    const texts = rows.flatMap((row) => row.texts).map((text) => text.toWellFormed())
    const encoded = texts.map((text) => new TextEncoder().encode(text))
    const textOffsets = new Uint32Array(texts.length + 1)
    encoded.forEach((bytes, i) => {
      textOffsets[i + 1] = (textOffsets[i] as number) + bytes.length
    })
    const limits = {
      lowTemperatureThreshold: 2,
      highTemperatureThreshold: 8,
      lowHumidityThreshold: 20,
      highHumidityThreshold: 80,
    }
    return {
      texts,
      head: { seq, now, devices: rows.length, groups: [{ _id: 'g1', name: 'Ä', parentId: null, ...limits }] },
      at: Float64Array.from(rows, ({ at }) => at),
      device: Uint32Array.from(rows, (_, i) => i * 3),
      lat: Int32Array.from(rows, ({ place }) => place[0]),
      lng: Int32Array.from(rows, ({ place }) => place[1]),
      group: new Uint16Array(rows.length),
      temperature: Int16Array.from(rows, ({ temperature }) => temperature),
      humidity: Uint16Array.from(rows, ({ humidity }) => humidity),
      speed: new Uint16Array(rows.length),
      heading: new Uint16Array(rows.length),
      state: Uint8Array.from(rows, ({ state }) => state),
      kind: new Uint8Array(rows.length),
      textOffsets,
      text: Uint8Array.from(encoded.flatMap((bytes) => [...bytes])),
    }
  })

const wire = (snapshot: FleetSnapshot): ArrayBuffer => encodeFleetSnapshot(snapshot).buffer as ArrayBuffer

describe('a fleet as columns', () => {
  test('comes out as it went in, names and all', () => {
    fc.assert(
      fc.property(fleet, ({ texts, ...snapshot }) => {
        const back = decodeFleetSnapshot(wire(snapshot))
        expect(back).toEqual(snapshot)
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
        expect(
          texts.map((_, i) =>
            decoder.decode(back.text.subarray(back.textOffsets[i], back.textOffsets[i + 1])),
          ),
        ).toEqual(texts)
      }),
    )
  })

  test('cut or garbled is refused, or read within its bounds', () => {
    fc.assert(
      fc.property(fleet, fc.nat(60), fc.nat(), fc.nat(255), (snapshot, cut, place, byte) => {
        const bytes = new Uint8Array(wire(snapshot))
        if (bytes.length > 0) bytes[place % bytes.length] = byte
        try {
          const {
            device: numbers,
            kind,
            textOffsets,
            head,
          } = decodeFleetSnapshot(bytes.slice(0, bytes.length - cut).buffer)
          expect([kind.length, textOffsets.length, head.devices]).toEqual([
            numbers.length,
            3 * numbers.length + 1,
            numbers.length,
          ])
        } catch (error) {
          expect(error instanceof RangeError || error instanceof ContractError).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function ofHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
