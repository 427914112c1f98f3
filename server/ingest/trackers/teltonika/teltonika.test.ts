import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { TeltonikaFrames } from '#machines/contracts/scenario.ts'
import { type GatewayDouble, openGateway } from '../../testing/tracker-line.ts'
import { crc16 } from './codec.ts'
import { TELTONIKA } from './protocol.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const { frames } = decodeJson(
  readFileSync(new URL('../../../../fixtures/teltonika/frames.json', import.meta.url), 'utf8'),
  TeltonikaFrames,
)
const numbers = new Map(frames.map(({ imei }, no) => [imei, no]))
const bytesOf = (no: number): Buffer => Buffer.from(frames[no]?.hex ?? '', 'hex')
const imeiOf = (no: number): string => frames[no]?.imei ?? ''
const hello = (imei: string): Buffer => Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei)])
const ack = (records: number): number[] => [0, 0, 0, records]

/** Data with its length before it and its checksum behind. */
function framed(data: Buffer): Buffer {
  const frame = Buffer.alloc(8 + data.length + 4)
  frame.writeUInt32BE(data.length, 4)
  data.copy(frame, 8)
  frame.writeUInt32BE(crc16(data), 8 + data.length)
  return frame
}

/** A frame of one record in Lahore, eastward at `speed` km/h, with no more elements. */
function frameOf({ at, speed }: { at: number; speed: number }): Buffer {
  const data = Buffer.alloc(33)
  data.writeUInt8(8, 0)
  data.writeUInt8(1, 1)
  data.writeBigUInt64BE(BigInt(at), 2)
  data.writeInt32BE(74.3e7, 11)
  data.writeInt32BE(31.5e7, 15)
  data.writeUInt16BE(90, 21)
  data.writeUInt8(9, 23)
  data.writeUInt16BE(speed, 24)
  data.writeUInt8(1, 32)
  return framed(data)
}

/** A frame of codec 8 Extended of one record that says whether the battery of the first EYE sensor is low. */
function batteryFrame(at: number, isLow: number): Buffer {
  const data = Buffer.alloc(44)
  data.writeUInt8(0x8e, 0)
  data.writeUInt8(1, 1)
  data.writeBigUInt64BE(BigInt(at), 2)
  data.writeUInt16BE(1, 28)
  data.writeUInt16BE(1, 30)
  data.writeUInt16BE(10_820, 32)
  data.writeUInt8(isLow, 34)
  data.writeUInt8(1, 43)
  return framed(data)
}

const setUp = (options: Partial<GatewayDouble> = {}) =>
  openGateway({
    protocol: TELTONIKA,
    now: NOW,
    imeiOf,
    deviceNo: (imei) => numbers.get(imei),
    ...options,
  })

test('low batteries of sensors are counted until they are changed, once a tracker', async () => {
  const { call, gateway } = await setUp()
  const [older, newer] = [await call(), await call()]
  older.send(hello(imeiOf(12)), batteryFrame(NOW, 1))
  await older.hears(1, ...ack(1))
  newer.send(hello(imeiOf(12)), batteryFrame(NOW + 1, 1))
  await newer.hears(1, ...ack(1))
  expect(gateway.stats().lowBatteries).toBe(1)
  newer.send(batteryFrame(NOW + 2, 0))
  await newer.hears(1, ...ack(1), ...ack(1))
  expect(gateway.stats().lowBatteries).toBe(0)
})

describe('a tracker', () => {
  test('of each captured frame is let in, stored, and told how many records it may forget', async () => {
    const { call, double, gateway } = await setUp()
    for (const [no, { imei, records }] of frames.entries()) {
      const tracker = await call()
      tracker.send(hello(imei))
      await tracker.hears(1)
      tracker.send(bytesOf(no))
      await tracker.hears(1, ...ack(records))
    }
    const stored = frames.map((_, no) => double.readings.filter(({ device }) => device === no).length)
    expect(stored).toEqual(frames.map(({ records }) => records))
    expect(gateway.stats()).toMatchObject({ frames: frames.length, records: 39, faults: 0 })
    expect(double.facts).toEqual([])
  })

  test('may cut its bytes anywhere, or send all at once', async () => {
    const { call, double } = await setUp()
    const slow = await call()
    for (const byte of Buffer.concat([hello(imeiOf(12)), bytesOf(12)])) slow.send(Buffer.of(byte))
    await slow.hears(1, ...ack(1))
    const hasty = await call()
    hasty.send(hello(imeiOf(3)), bytesOf(3), Buffer.of(0xff), bytesOf(10), bytesOf(8))
    await hasty.hears(1, ...ack(3), ...ack(6), ...ack(14))
    expect(double.readings).toHaveLength(24)
  })

  test('that sends a frame again is told the same, and it is stored once', async () => {
    const { call, double } = await setUp()
    const tracker = await call()
    tracker.send(hello(imeiOf(8)), bytesOf(8), bytesOf(8))
    await tracker.hears(1, ...ack(14), ...ack(14))
    expect(double.readings).toHaveLength(14)
  })

  test('is acknowledged only after the records are stored', async () => {
    const { call, double } = await setUp({ holds: true })
    const tracker = await call()
    tracker.send(hello(imeiOf(12)), bytesOf(12))
    await vi.waitUntil(() => double.held.length === 1)
    expect(tracker.heard).toEqual([1])
    double.release()
    await tracker.hears(1, ...ack(1))
  })

  test('is not acknowledged when the store cannot write', async () => {
    const report = vi.fn()
    const { call, double } = await setUp({ holds: true, report })
    const tracker = await call()
    tracker.send(hello(imeiOf(12)), bytesOf(12))
    await vi.waitUntil(() => double.held.length === 1)
    double.fail(new Error('disk full'))
    await tracker.closes()
    expect(tracker.heard).toEqual([1])
    expect(report).toHaveBeenCalledWith(new Error('disk full'))
  })

  test('that says nothing is sent away', async () => {
    const { call } = await setUp({ loginMs: 20 })
    const tracker = await call()
    await tracker.closes()
    expect(tracker.heard).toEqual([])
  })

  test('that says nothing gives way to those that come after it, and no tracker that was let in does', async () => {
    const { call, gateway } = await setUp({ maxUnknown: 2 })
    const letIn = await call()
    letIn.send(hello(imeiOf(12)))
    await letIn.hears(1)
    const silent = [await call(), await call(), await call(), await call()]
    await Promise.all(silent.slice(0, 2).map(({ closes }) => closes()))
    const tracker = await call()
    tracker.send(hello(imeiOf(3)), bytesOf(3))
    await tracker.hears(1, ...ack(3))
    await silent[2]?.closes()
    letIn.send(bytesOf(12))
    await letIn.hears(1, ...ack(1))
    expect(silent[3]?.isClosed()).toBe(false)
    expect(gateway.stats()).toMatchObject({ connections: 3, crowdedOut: 3, faults: 0 })
  })

  test('is let in when all connect at once and many say nothing, some after they connected again', async () => {
    const { call } = await setUp({ maxUnknown: 5 })
    const comeIn = async (): Promise<void> => {
      const tracker = await call()
      tracker.send(hello(imeiOf(12)))
      await vi.waitUntil(() => tracker.isClosed() || tracker.heard.length > 0, { interval: 2 })
      if (tracker.heard.length === 0) await comeIn()
    }
    const trackers = Array.from({ length: 100 }, comeIn)
    for (let i = 0; i < 30; i++) await call()
    expect(await Promise.all(trackers)).toHaveLength(100)
  })
})

describe('a tracker that is on the line', () => {
  test('when its IMEI goes to another device sends for that one and its company from then on', async () => {
    let no = 4
    const { call, double } = await setUp({
      deviceNo: () => no,
      companyOf: (of) => (of === 4 ? 'indus' : 'chenab'),
    })
    const tracker = await call()
    tracker.send(hello(imeiOf(4)), frameOf({ at: NOW - 60_000, speed: 500 }))
    await tracker.hears(1, ...ack(1))
    no = 7
    tracker.send(frameOf({ at: NOW, speed: 500 }))
    await tracker.hears(1, ...ack(1), ...ack(1))
    expect(double.readings).toMatchObject([
      { device: 4, at: NOW - 60_000 },
      { device: 7, at: NOW },
    ])
    expect(double.facts.map(({ companyId }) => companyId)).toEqual(['indus', 'chenab'])
  })

  test('when its device is retired is sent away without an answer, and refused when it comes again', async () => {
    let isRetired = false
    const { call, double } = await setUp({ isRetired: () => isRetired })
    const tracker = await call()
    tracker.send(hello(imeiOf(4)), frameOf({ at: NOW - 60_000, speed: 50 }))
    await tracker.hears(1, ...ack(1))
    isRetired = true
    tracker.send(frameOf({ at: NOW, speed: 50 }))
    await tracker.closes()
    expect(tracker.heard).toEqual([1, ...ack(1)])
    const again = await call()
    again.send(hello(imeiOf(4)))
    await again.hears(0)
    await again.closes()
    expect(double.readings).toHaveLength(1)
  })

  test('when its device is retired while its records wait for room is not told that they are stored', async () => {
    let isRetired = false
    let looks = 0
    const { call, double } = await setUp({
      holds: true,
      capacity: 1,
      isRetired: (no) => {
        if (no === 4) looks++
        return no === 4 && isRetired
      },
    })
    const before = await call()
    before.send(hello(imeiOf(12)), frameOf({ at: NOW, speed: 50 }))
    await vi.waitUntil(() => double.held.length === 1)
    const tracker = await call()
    tracker.send(hello(imeiOf(4)), frameOf({ at: NOW, speed: 50 }))
    // at its login, and at its frame, which waits from then on
    await vi.waitUntil(() => looks === 2)
    isRetired = true
    double.release()
    await before.hears(1, ...ack(1))
    await tracker.closes()
    expect(tracker.heard).toEqual([1])
    expect(double.readings.map(({ device }) => device)).toEqual([12])
  })
})

describe('what is refused', () => {
  const broken = Uint8Array.from(bytesOf(12))
  broken[30] = (broken[30] as number) ^ 0x55

  test('a device nobody registered is told no, and told of', async () => {
    const { call, double } = await setUp()
    const stranger = await call()
    stranger.send(hello('350000000000000'), bytesOf(12))
    await stranger.hears(0)
    await stranger.closes()
    expect(double.readings).toEqual([])
    expect(double.facts).toMatchObject([
      { data: { imei: null, source: 'tracker', reason: 'unknown device', count: 1 } },
    ])
  })

  test.for([
    ['of another length', Buffer.of(0, 200)],
    ['that is no number', hello('35000000000000x')],
  ] as const)('an IMEI %s', async ([, bytes]) => {
    const { call, double } = await setUp()
    const stranger = await call()
    stranger.send(bytes)
    await stranger.closes()
    expect(stranger.heard).toEqual([])
    expect(double.facts).toMatchObject([{ data: { imei: null, reason: 'broken frame: no IMEI' } }])
  })

  test('a frame with a wrong checksum, and only that frame', async () => {
    const { call, double, gateway } = await setUp()
    const tracker = await call()
    tracker.send(hello(imeiOf(12)), broken, bytesOf(12))
    await tracker.hears(1, ...ack(0), ...ack(1))
    expect(double.readings).toHaveLength(1)
    expect(gateway.stats()).toMatchObject({ frames: 1, faults: 1 })
    expect(double.facts).toMatchObject([
      { companyId: 'indus', data: { imei: imeiOf(12), reason: 'broken frame: checksum' } },
    ])
  })

  test('bytes that are no frame end the connection, and disturb no other', async () => {
    const { call, double } = await setUp()
    const good = await call()
    good.send(hello(imeiOf(3)), bytesOf(3).subarray(0, 100))
    const bad = await call()
    bad.send(hello(imeiOf(12)), Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    const huge = await call()
    huge.send(hello(imeiOf(1)), Buffer.of(0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff))
    const gone = await call()
    gone.send(hello(imeiOf(8)), bytesOf(8).subarray(0, 500))
    await gone.hears(1)
    gone.vanish()
    await Promise.all([bad.closes(), huge.closes(), gone.closes()])
    expect(bad.heard).toEqual([1])
    good.send(bytesOf(3).subarray(100))
    await good.hears(1, ...ack(3))
    expect(double.readings.map(({ device }) => device)).toEqual([3, 3, 3])
    const reasons = double.facts.map(({ data }) => (data as { reason: string }).reason)
    expect(reasons.sort()).toEqual(['broken frame: length', 'broken frame: preamble'])
  })

  test('a record that cannot be true is quarantined, and the device may forget it', async () => {
    const { call, double } = await setUp({ now: Date.UTC(2013, 3, 29) })
    const tracker = await call()
    tracker.send(hello(imeiOf(10)), bytesOf(10))
    await tracker.hears(1, ...ack(6))
    expect(double.readings).toEqual([])
    expect(double.facts).toMatchObject([
      { data: { imei: imeiOf(10), reason: 'its time is more than 24 h ahead' } },
    ])
  })

  test('a record whose time GPS weeks made 1,024 weeks old is quarantined, and the device may forget it', async () => {
    const { call, double } = await setUp()
    const tracker = await call()
    tracker.send(hello(imeiOf(0)), frameOf({ at: NOW - 1024 * 7 * 86_400_000 - 60_000, speed: 50 }))
    await tracker.hears(1, ...ack(1))
    expect(double.readings).toEqual([])
    expect(double.facts).toMatchObject([
      { data: { imei: imeiOf(0), reason: 'its time is 1,024 weeks behind (GPS week rollover)' } },
    ])
  })

  test('a record that is one too many ahead of its time is quarantined, and the device may forget it', async () => {
    const { call, double } = await setUp()
    for (let i = 0; i < 10_000; i++)
      double.aside.push({ kind: 'held', receivedAt: NOW, reading: { device: 0, at: NOW + i } })
    const tracker = await call()
    tracker.send(hello(imeiOf(0)), frameOf({ at: NOW + 3600_000, speed: 50 }))
    await tracker.hears(1, ...ack(1))
    expect(double.readings).toEqual([])
    expect(double.facts).toMatchObject([
      { data: { imei: imeiOf(0), reason: expect.stringMatching(/10,000/) } },
    ])
  })

  test('whose device has all readings of its day keeps the others, and sends them again', async () => {
    const { call, double } = await setUp({ mostADay: 1 })
    const tracker = await call()
    tracker.send(hello(imeiOf(0)), frameOf({ at: NOW, speed: 50 }), frameOf({ at: NOW + 1, speed: 50 }))
    await tracker.closes()
    expect(tracker.heard).toEqual([1, ...ack(1)])
    expect(double.readings).toMatchObject([{ at: NOW }])
  })

  test('a record that is impossible in one field is stored without it, and what was dropped is said', async () => {
    const { call, double } = await setUp()
    const tracker = await call()
    tracker.send(hello(imeiOf(0)), frameOf({ at: NOW, speed: 500 }))
    await tracker.hears(1, ...ack(1))
    expect(double.readings).toMatchObject([{ device: 0, at: NOW, lat: 31.5, lng: 74.3, heading: 90 }])
    expect(double.readings[0]?.speed).toBeUndefined()
    expect(double.facts).toMatchObject([
      {
        type: 'reading.quarantined',
        data: {
          imei: imeiOf(0),
          reason: 'speed is out of range',
          detail: expect.stringMatching(/the rest of it is kept$/),
        },
      },
    ])
  })

  test('strangers leave no fact each, and of too many from one address nobody hears', async () => {
    const strangers: string[] = []
    const { call, double } = await setUp({
      strangersAMinute: 3,
      unknownDevices: { note: ({ imei, door, address }) => strangers.push(`${imei} ${door} ${address}`) },
    })
    for (let i = 0; i < 6; i++) {
      const stranger = await call()
      stranger.send(hello(`35000000000000${i}`))
      await stranger.hears(0)
      await stranger.closes()
    }
    expect(strangers).toEqual([0, 1, 2].map((i) => `35000000000000${i} teltonika 127.0.0.1`))
    expect(double.facts).toHaveLength(1)
    const known = await call()
    known.send(hello(imeiOf(12)), bytesOf(12))
    await known.hears(1, ...ack(1))
  })

  test('a frame that claims much and does not end is given up, as is a login that drips', async () => {
    const { call, double, gateway } = await setUp({ frameMs: 20 })
    const claiming = await call()
    claiming.send(hello(imeiOf(12)), Buffer.of(0, 0, 0, 0, 0, 0, 0x40, 0), Buffer.alloc(100))
    const dripping = await call()
    dripping.send(Buffer.of(0))
    await Promise.all([claiming.closes(), dripping.closes()])
    expect(claiming.heard).toEqual([1])
    expect(double.facts.map(({ data }) => (data as { reason: string }).reason)).toEqual([
      'broken frame: does not end',
      'broken frame: does not end',
    ])
    expect(gateway.stats().connections).toBe(0)
  })

  test('64 kB of noise after a good login end the connection, whatever they are', async () => {
    const { call } = await setUp()
    const noisy = await call()
    let seed = 1
    const noise = Buffer.from(
      Array.from({ length: 65_536 }, () => {
        seed = Math.imul(seed, 1_103_515_245) + 12_345
        return (seed >>> 16) & 0xff
      }),
    )
    noisy.send(hello(imeiOf(12)), noise)
    await noisy.closes()
    expect(noisy.heard).toEqual([1])
  })

  test('ten broken frames in a row end the connection', async () => {
    const { call, gateway } = await setUp()
    const tracker = await call()
    tracker.send(hello(imeiOf(12)), ...Array<Uint8Array>(12).fill(broken))
    await tracker.closes()
    expect(gateway.stats().faults).toBe(10)
  })
})
