import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { READING_FIELD_NAMES, READING_FIELDS } from '#machines/contracts/readings.ts'
import { TeltonikaFrames } from '#machines/contracts/scenario.ts'
import { noNotes } from '../protocol.ts'
import { type AvlRecord, decodeFrame } from './codec.ts'
import * as mapping from './mapping.ts'

const { frames } = decodeJson(
  readFileSync(new URL('../../../../fixtures/teltonika/frames.json', import.meta.url), 'utf8'),
  TeltonikaFrames,
)
const toReading = (no: number, record: AvlRecord, notes = noNotes()) => mapping.toReading(no, record, notes)
const readings = frames.map(({ hex }) =>
  decodeFrame(Buffer.from(hex, 'hex')).map((record) => toReading(7, record)),
)

/** A record of 2026 over Lahore with these elements: id → hexadecimal bytes. */
const record = (elements: Record<number, string>, more: Partial<AvlRecord> = {}): AvlRecord => ({
  at: Date.UTC(2026, 0, 15),
  priority: 0,
  lng: 74.35,
  lat: 31.52,
  altitude: 210,
  angle: 90,
  satellites: 9,
  speed: 50,
  event: 0,
  elements: Object.entries(elements).map(([id, hex]) => ({ id: Number(id), bytes: Buffer.from(hex, 'hex') })),
  ...more,
})

describe('frames captured from real trackers', () => {
  test('give readings within what is possible', () => {
    for (const reading of readings.flat()) {
      expect(reading.at).toBeGreaterThan(Date.UTC(2013))
      for (const name of READING_FIELD_NAMES) {
        const value = reading[name] ?? READING_FIELDS[name].min
        expect(value).toBeGreaterThanOrEqual(READING_FIELDS[name].min)
        expect(value).toBeLessThanOrEqual(READING_FIELDS[name].max)
      }
    }
  })

  test('tell position, movement, radio, voltages and ignition', () => {
    expect(readings[12]?.[0]).toMatchObject({
      device: 7,
      lat: 56.9463366,
      lng: 60.5131366,
      speed: 94,
      heading: 185,
      gsmSignal: 5,
      gnssStatus: 1,
      externalVoltage: 14.363,
      batteryVoltage: 3.928,
      ignition: 1,
    })
    expect(readings[3]?.[2]).toMatchObject({
      ignition: 1,
      gsmSignal: 4,
      gnssStatus: 3,
      externalVoltage: 14.017,
    })
    expect(readings[3]?.[0]).toMatchObject({ ignition: 0, gsmSignal: 0, gnssStatus: 4 })
  })

  test('tell what the wireless sensors beside the tracker measure', () => {
    // three refrigerators, named so by their owner
    expect(readings[0]?.[1]).toMatchObject({ temperature: 32.15, temperature2: 31.28, humidity: 52 })
    // two sensors as they advertise
    expect(readings[1]?.[0]).toMatchObject({ temperature: 27.03, temperature2: 22.35, humidity: 38 })
    expect(readings[4]?.[0]).toMatchObject({ temperature: 0 })
    // a beacon is no sensor
    expect(readings[5]?.[0]?.temperature).toBeUndefined()
  })
})

describe('temperatures', () => {
  test('of wires are tenths, of radio sensors hundredths; the first is the cargo’s', () => {
    expect(toReading(0, record({ 72: '000000b9', 73: 'ffffff9c' }))).toMatchObject({
      temperature: 18.5,
      temperature2: -10,
    })
    expect(toReading(0, record({ 25: '0898', 26: 'fc18', 86: '01c2' }))).toMatchObject({
      temperature: 22,
      temperature2: -10,
      humidity: 45,
    })
    expect(toReading(0, record({ 25: '0898', 74: '00b9' }))).toMatchObject({
      temperature: 18.5,
      temperature2: 22,
    })
  })

  test.for([
    ['a cut cable', { 72: '0bb8', 73: '0028' }, undefined, 4],
    ['a sensor out of reach', { 25: '7fff', 26: '0190', 86: 'ffff', 104: '01c2' }, undefined, 4],
    ['slots without a sensor behind it', { 72: 'ff4c', 73: '0bb8', 74: '0bb8', 75: '0bb8' }, -18, undefined],
    ['a kind of which none is fitted', { 72: '0bb8', 73: '0bb8', 25: 'f8f8', 26: '0190' }, -18, 4],
    ['a failing one of another kind', { 10800: '7fff', 10644: '0190' }, undefined, 4],
  ] as const)('of the other sensor are never the cargo’s: %s', ([, sent, temperature, temperature2]) => {
    const reading = toReading(0, record(sent))
    expect([reading.temperature, reading.temperature2]).toEqual([temperature, temperature2])
    expect(reading.humidity).toBeUndefined()
  })

  test.for([
    [72, '0352'],
    [72, '000007d0'],
    [73, '00000bb8'],
    [74, '00000fa0'],
    [75, '00001388'],
    [75, '2800000012345678'],
    [25, '07d0'],
    [26, '0bb8'],
    [27, '0fa0'],
    [28, '7fff'],
  ] as const)('element %s with the code %s is a fault, not a value', ([id, code]) => {
    expect(toReading(0, record({ [id]: code })).temperature).toBeUndefined()
  })

  test.for([
    [25, 86, '07d0', 20],
    [26, 104, '0bb8', 30],
    [27, 106, '0fa0', 40],
    [28, 108, '07d0', 20],
  ] as const)(
    'element %s beside a humidity in %s is degrees, though %s may be a fault',
    ([id, beside, sent, temperature]) => {
      expect(toReading(0, record({ [id]: sent, [beside]: '01c2' }))).toMatchObject({
        temperature,
        humidity: 45,
      })
      expect(toReading(0, record({ [id]: sent, [beside]: sent })).temperature).toBeUndefined()
    },
  )

  test('humidity beyond a hundred percent is a fault', () => {
    expect(toReading(0, record({ 104: '7fff' })).humidity).toBeUndefined()
  })
})

describe('what was not measured', () => {
  test('0/0 without satellites is no position; a last known place is one', () => {
    const none = toReading(0, record({}, { lat: 0, lng: 0, satellites: 0, speed: 0 }))
    expect([none.lat, none.lng]).toEqual([undefined, undefined])
    expect(toReading(0, record({}, { satellites: 0 }))).toMatchObject({ lat: 31.52, lng: 74.35 })
  })

  test('a list of sensors cut short gives what is whole', () => {
    const list = '01' + '08' + '06020c8f' + '07013403' + '24' + '0602'
    expect(toReading(0, record({ 11317: list }))).toMatchObject({ temperature: 32.15, humidity: 52 })
    for (const broken of ['', '01', '02ff', '01ff', '0100', '010106', '01020602'])
      expect(toReading(0, record({ 11317: broken })).temperature).toBeUndefined()
  })

  test('unplug and the rest stay open where the tracker says nothing', () => {
    expect(toReading(0, record({ 252: '01' })).unplug).toBe(1)
    expect(toReading(0, record({ 252: '00' })).unplug).toBe(0)
    const silent = toReading(0, record({}))
    expect([silent.unplug, silent.ignition, silent.externalVoltage, silent.gsmSignal]).toEqual(
      Array(4).fill(undefined),
    )
  })
})

describe('elements', () => {
  test('of another width than defined are ignored, and said so', () => {
    const notes = noNotes()
    const reading = toReading(0, record({ 104: '000003d0', 25: '0898aabb', 239: '0001', 72: '00b9' }), notes)
    expect(reading).toMatchObject({ humidity: undefined, ignition: undefined, temperature: 18.5 })
    expect([...notes.ignored].sort()).toEqual([
      'AVL 104 in 4 bytes',
      'AVL 239 in 2 bytes',
      'AVL 25 in 4 bytes',
    ])
  })

  test('of EYE sensors and probes tell temperature, humidity, door and battery', () => {
    const notes = noNotes()
    const eye = { 10800: 'f8f8', 10801: '0190', 10804: '37', 10808: '01', 10809: '01', 10821: '01' }
    expect(toReading(0, record(eye), notes)).toMatchObject({
      temperature: -18,
      temperature2: 4,
      humidity: 55,
      door: 0,
    })
    expect([...notes.lowBatteries]).toEqual([['EYE 2', true]])
    expect(toReading(0, record({ 10808: '01', 10810: '00' })).door).toBe(1)
    expect(toReading(0, record({})).door).toBeUndefined()
    expect(toReading(0, record({ 10644: 'fc18' })).temperature).toBe(-10)
    expect(toReading(0, record({ 10800: '07d0' })).temperature).toBe(20)
  })

  test.for([548, 10828, 10829, 10831, 11317])('list %s holds sensors', (id) => {
    expect(toReading(0, record({ [id]: '010806020c8f07013403' }))).toMatchObject({
      temperature: 32.15,
      humidity: 52,
    })
  })

  test('none of the captured frames has an element of another width', () => {
    const notes = noNotes()
    for (const { hex } of frames)
      for (const one of decodeFrame(Buffer.from(hex, 'hex'))) toReading(0, one, notes)
    expect([...notes.ignored]).toEqual([])
  })
})
