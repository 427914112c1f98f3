import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { decodeJson } from '#machines/contracts/decode.ts'
import { TeltonikaFrames } from '#machines/contracts/scenario.ts'
import { createIngest } from '../pipeline.ts'
import { telemetryDouble } from '../testing/telemetry-double.ts'
import { createTeltonikaGateway, type GatewayOptions } from './gateway.ts'

const NOW = Date.UTC(2026, 0, 15, 8)
const { frames } = decodeJson(
  readFileSync(new URL('../../../fixtures/teltonika/frames.json', import.meta.url), 'utf8'),
  TeltonikaFrames,
)
const numbers = new Map(frames.map(({ imei }, no) => [imei, no]))
const bytesOf = (no: number): Buffer => Buffer.from(frames[no]?.hex ?? '', 'hex')
const imeiOf = (no: number): string => frames[no]?.imei ?? ''
const hello = (imei: string): Buffer => Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei)])
const ack = (records: number): number[] => [0, 0, 0, records]

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function setUp(options: { holds?: boolean } & Partial<GatewayOptions> = {}) {
  const double = telemetryDouble(options)
  const clock = { now: () => NOW }
  const ingest = createIngest({
    store: double.store,
    clock,
    device: (no) => ({ imei: imeiOf(no), companyId: 'indus' }),
    newestAt: () => 0,
    batchMs: 0,
  })
  const deviceByImei = (imei: string) => {
    const no = numbers.get(imei)
    return no === undefined ? undefined : { no, companyId: 'indus' }
  }
  const gateway = createTeltonikaGateway({ ingest, clock, deviceByImei, ...options })
  const port = await gateway.listen(0, '127.0.0.1')
  closing.push(
    () => ingest.stop(),
    () => gateway.close(),
    () => double.release(),
  )
  return { double, gateway, ingest, call: () => calling(port) }
}

/** A tracker's end of a connection. */
async function calling(port: number) {
  const socket: Socket = connect(port, '127.0.0.1')
  const heard: number[] = []
  let isClosed = false
  socket.setNoDelay(true)
  socket.on('data', (chunk) => heard.push(...chunk))
  socket.on('close', () => {
    isClosed = true
  })
  socket.on('error', () => {})
  closing.push(() => socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    heard,
    send: (...parts: Uint8Array[]) => void socket.write(Buffer.concat(parts)),
    hears: (...bytes: number[]) => vi.waitFor(() => expect(heard).toEqual(bytes), { interval: 2 }),
    closes: () => vi.waitFor(() => expect(isClosed).toBe(true), { interval: 2 }),
    vanish: () => socket.resetAndDestroy(),
  }
}

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
    const { call } = await setUp({ handshakeMs: 20 })
    const tracker = await call()
    await tracker.closes()
    expect(tracker.heard).toEqual([])
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
    await stranger.hears(0)
    await stranger.closes()
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
    const { call, double } = await setUp({ clock: { now: () => Date.UTC(2013, 3, 29) } })
    const tracker = await call()
    tracker.send(hello(imeiOf(10)), bytesOf(10))
    await tracker.hears(1, ...ack(6))
    expect(double.readings).toEqual([])
    expect(double.facts).toMatchObject([
      { data: { imei: imeiOf(10), reason: 'its time is more than 24 h ahead' } },
    ])
  })
})
