import { describe, expect, test, vi } from 'vitest'
import { location, login } from '../../../testing/gt06.ts'
import { type GatewayDouble, openGateway } from '../../testing/tracker-line.ts'
import { readFrame, writeFrame } from './frames.ts'
import { GT06 } from './protocol.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const IMEI = '352093024171000'
const PLACE = { lat: 31.5, lng: 74.25, speed: 60 }
const heartbeat = (serial: number): Uint8Array =>
  writeFrame({ type: 0x13, content: Uint8Array.of(0x42, 4, 3, 0, 1), serial })
const answer = (type: number, serial: number): Uint8Array =>
  writeFrame({ type, content: new Uint8Array(), serial })

const setUp = (options: Partial<GatewayDouble> = {}) =>
  openGateway({
    protocol: GT06,
    now: NOW,
    imeiOf: () => IMEI,
    deviceNo: (imei) => (imei === IMEI ? 4 : undefined),
    ...options,
  })

describe('a GT06 tracker', () => {
  test('is let in, stored, and answered where the protocol has an answer', async () => {
    const { call, double, gateway } = await setUp()
    const tracker = await call()
    tracker.send(login(IMEI, 1), location(NOW - 60_000, PLACE, 2), heartbeat(3))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3))
    expect(double.readings).toMatchObject([
      { device: 4, at: NOW - 60_000, lat: 31.5, lng: 74.25, speed: 60, ignition: 1 },
      { device: 4, at: NOW, ignition: 1, gsmSignal: 3 },
    ])
    expect(gateway.stats()).toMatchObject({ connections: 1, frames: 2, records: 2, faults: 0 })
  })

  test('may send an alarm of the second of a location: both are stored', async () => {
    const { call, double } = await setUp()
    const sent = location(NOW, PLACE, 2)
    const state = Uint8Array.of(9, 1, 204, 0, 40, 125, 0, 31, 113, 2, 4, 3, 1, 2)
    const alarm = writeFrame({ type: 0x26, content: Buffer.concat([sent.subarray(4, 22), state]), serial: 3 })
    const tracker = await call()
    tracker.send(login(IMEI, 1), sent, alarm)
    await tracker.hears(...answer(0x01, 1), ...answer(0x26, 3))
    expect(double.readings).toMatchObject([
      { at: NOW, ignition: 1 },
      { at: NOW + 1, lat: 31.5, ignition: 1, gsmSignal: 3 },
    ])
  })

  test('whose GPS weeks began anew is told under its name, and its places are not taken', async () => {
    const { call, double } = await setUp()
    const tracker = await call()
    tracker.send(login(IMEI, 1), location(NOW - 1024 * 7 * 86_400_000, PLACE, 2), heartbeat(3))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3))
    expect(double.readings).toMatchObject([{ device: 4, at: NOW }])
    expect(double.facts).toMatchObject([
      { data: { imei: IMEI, reason: 'its time is 1,024 weeks behind (GPS week rollover)' } },
    ])
  })

  test('may cut its bytes anywhere', async () => {
    const { call, double } = await setUp()
    const slow = await call()
    for (const byte of Buffer.concat([login(IMEI, 1), location(NOW, PLACE, 2), heartbeat(3)]))
      slow.send(Buffer.of(byte))
    await slow.hears(...answer(0x01, 1), ...answer(0x13, 3))
    expect(double.readings).toHaveLength(1)
  })

  test('is answered only after what it says is stored', async () => {
    const { call, double } = await setUp({ holds: true })
    const tracker = await call()
    tracker.send(login(IMEI, 1), heartbeat(2))
    await vi.waitUntil(() => double.held.length === 1)
    expect(tracker.heard).toEqual([...answer(0x01, 1)])
    double.release()
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 2))
  })

  test('that keeps local time is set right by the offset of its device', async () => {
    let hours = 5
    const { call, double } = await setUp({ utcOffset: () => hours * 3600_000 })
    const tracker = await call()
    tracker.send(login(IMEI, 1), location(NOW, PLACE, 2), heartbeat(3))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3))
    expect(double.readings[0]?.at).toBe(NOW - 5 * 3600_000)
    // said anew while it is on the line
    hours = 4
    tracker.send(location(NOW, PLACE, 4), heartbeat(5))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3), ...answer(0x13, 5))
    expect(double.readings[2]?.at).toBe(NOW - 4 * 3600_000)
  })

  test('whose IMEI goes to another device while it is on the line sends for that one from then on', async () => {
    let no = 4
    const { call, double } = await setUp({ deviceNo: () => no })
    const tracker = await call()
    tracker.send(login(IMEI, 1), location(NOW - 60_000, PLACE, 2), heartbeat(3))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3))
    no = 7
    tracker.send(location(NOW - 30_000, PLACE, 4), heartbeat(5))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3), ...answer(0x13, 5))
    expect(double.readings.map(({ device, at }) => [device, at - NOW])).toEqual([
      [4, -60_000],
      [4, 0],
      [7, -30_000],
      [7, 0],
    ])
  })

  test('may send a broken frame, which is dropped, and goes on', async () => {
    const { call, double } = await setUp()
    const broken = Uint8Array.from(location(NOW, PLACE, 2))
    broken[10] = (broken[10] as number) ^ 1
    const tracker = await call()
    tracker.send(login(IMEI, 1), broken, heartbeat(3))
    await tracker.hears(...answer(0x01, 1), ...answer(0x13, 3))
    expect(double.readings).toHaveLength(1)
    expect(double.facts).toMatchObject([{ data: { imei: IMEI, reason: 'broken frame: checksum' } }])
  })
})

test('a GT06 tracker without a fix may send places without bytes or of no date: it stays, is answered, and is told of once', async () => {
  const { call, double, gateway } = await setUp()
  const undated = Buffer.from(location(NOW, PLACE, 3))
  const dateless = { content: undated.subarray(4, -6).fill(0, 0, 6), serial: 3 }
  const tracker = await call()
  tracker.send(
    login(IMEI, 1),
    ...Array<Buffer>(12).fill(Buffer.from('787805120099ABEC0D0A', 'hex')),
    writeFrame({ type: 0x22, ...dateless }),
    writeFrame({ type: 0x16, ...dateless }),
    heartbeat(4),
  )
  await tracker.hears(...answer(0x01, 1), ...answer(0x16, 3), ...answer(0x13, 4))
  expect(double.readings).toHaveLength(1)
  expect(gateway.stats()).toMatchObject({ frames: 15, faults: 0 })
  expect(double.facts.map(({ data }) => data)).toMatchObject([
    { imei: IMEI, reason: 'message not read', detail: '0 bytes of a place' },
  ])
})

describe('whoever is no GT06 tracker is sent away', () => {
  test.for([
    ['a stranger', [login('350000000000000', 1)]],
    ['who begins without a login', [heartbeat(1)]],
    ['who speaks HTTP', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
    ['whose login has no IMEI', [writeFrame({ type: 1, content: new Uint8Array(8).fill(0xff), serial: 1 })]],
  ] as const)('%s', async ([, frames]) => {
    const { call, double } = await setUp()
    const stranger = await call()
    stranger.send(...frames)
    await stranger.closes()
    expect(stranger.heard).toEqual([])
    expect(double.readings).toEqual([])
    expect(double.facts).toHaveLength(1)
  })

  test('who claims 4 kB and sends a part of them', async () => {
    const { call } = await setUp({ frameMs: 20 })
    const claiming = await call()
    claiming.send(login(IMEI, 1), Buffer.of(0x79, 0x79, 0x0f, 0xff), Buffer.alloc(500))
    await claiming.closes()
    expect(readFrame(Uint8Array.from(claiming.heard)).type).toBe(0x01)
  })

  test('who drips a login, byte by byte', async () => {
    const { call, double, gateway } = await setUp({ frameMs: 20 })
    const dripping = await call()
    dripping.send(login(IMEI, 1).subarray(0, 5))
    await dripping.closes()
    expect(double.facts).toMatchObject([{ data: { reason: 'broken frame: does not end' } }])
    expect(gateway.stats().connections).toBe(0)
  })

  test('whatever 64 kB of noise follow a good login, or come without one; others go on', async () => {
    const { call, double } = await setUp()
    const other = await call()
    other.send(login(IMEI, 1))
    await other.hears(...answer(0x01, 1))
    for (const begin of [login(IMEI, 1), Buffer.alloc(0)])
      for (const seed of [1, 2, 3]) {
        const noisy = await call()
        noisy.send(begin, noise(65_536, seed))
        await noisy.closes()
        expect(noisy.heard).toEqual(begin.length > 0 ? [...answer(0x01, 1)] : [])
      }
    other.send(heartbeat(2))
    await other.hears(...answer(0x01, 1), ...answer(0x13, 2))
    expect(double.readings).toHaveLength(1)
  })

  test('whoever sends ten frames in a row whose checksum is wrong', async () => {
    const { call, double, gateway } = await setUp()
    const broken = Uint8Array.from(location(NOW, PLACE, 2))
    broken[10] = (broken[10] as number) ^ 1
    const tracker = await call()
    tracker.send(login(IMEI, 1), ...Array<Uint8Array>(12).fill(broken), heartbeat(3))
    await tracker.closes()
    expect(gateway.stats().faults).toBe(10)
    expect(double.readings).toEqual([])
  })
})

/** The same bytes for the same seed. */
function noise(length: number, seed: number): Buffer {
  let at = seed
  return Buffer.from(
    Array.from({ length }, () => {
      at = Math.imul(at, 1_103_515_245) + 12_345
      return (at >>> 16) & 0xff
    }),
  )
}
