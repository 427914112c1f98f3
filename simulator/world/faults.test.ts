import { describe, expect, test } from 'vitest'
import type { FaultKind } from '#machines/contracts/scenario-script.ts'
import { calm, deviceOf, HOUR, MINUTE, messages, smallWorld } from './testing/demo.ts'

/** One device's messages of the hour (or so) after a fault begins, beside what it would have said without. */
function faulty(fault: FaultKind, forSeconds: number, kind = 'lahore-frozen-linehaul', span = HOUR) {
  const fleets = calm.fleets.filter(({ id }) => id.includes(kind))
  const [world, healthy] = [smallWorld(3, { ...calm, fleets }), smallWorld(3, { ...calm, fleets })]
  const { index, imei } = deviceOf(world, kind)
  for (const each of [world, healthy]) each.advance(each.start + 10_000)
  const injected = world.injectFault('f1', imei, fault, forSeconds)
  if (!injected) throw new RangeError(imei)
  const end = world.start + 10_000 + span
  return {
    sent: messages(world.advance(end), index),
    healthy: messages(healthy.advance(end), index),
    from: injected.from,
    until: injected.until,
    world,
    index,
  }
}
const last = <T>(rows: T[]): T => {
  const row = rows.at(-1)
  if (row === undefined) throw new RangeError('nothing was sent')
  return row
}

describe('a fault', () => {
  test('touches its own device alone, and only while it lasts', () => {
    const [world, healthy] = [smallWorld(60, calm), smallWorld(60, calm)]
    world.injectFault('f1', world.registration.devices[7]?.imei ?? '', 'sensor-unplugged', 600)
    for (const each of [world, healthy]) each.advance(each.start + HOUR)
    const differ = world.registration.devices.filter(({ index }) => world.hash(index) !== healthy.hash(index))
    expect(differ.map(({ index }) => index)).toEqual([7])
    const [again, fine] = [world, healthy].map((each) => messages(each.advance(each.start + 2 * HOUR), 7))
    expect(again).toEqual(fine)
  })

  test('of a device that is not simulated here is refused', () => {
    const world = smallWorld(5, calm)
    expect(world.injectFault('f1', '352093024171000', 'offline', 60)).toBeUndefined()
    expect(world.removeFault('f1')).toBeUndefined()
  })

  test('that is taken away ends at once', () => {
    const { world, index } = faulty('sensor-unplugged', 7200, 'lahore-frozen-linehaul', 5 * MINUTE)
    expect(world.removeFault('f1')?.until).toBe(world.position() + 1)
    expect(world.removeFault('f1')).toBeUndefined()
    const after = messages(world.advance(world.position() + MINUTE), index)
    expect(after.every(({ temperature }) => temperature !== undefined)).toBe(true)
  })
})

describe('compressor-off', () => {
  test('warms a frozen box by 0.3 to 1 °C a minute, then slower and slower, towards the air outside', () => {
    const { sent } = faulty('compressor-off', 6 * 3600, 'lahore-frozen-linehaul', 6 * HOUR)
    const at = (minute: number) => sent[minute * 6]?.temperature ?? Number.NaN
    const early = (at(10) - at(0)) / 10
    expect(early).toBeGreaterThan(0.3)
    expect(early).toBeLessThan(1.2)
    expect((at(350) - at(340)) / 10).toBeLessThan(early / 5)
    expect(at(355)).toBeGreaterThan(15)
    expect(at(355)).toBeLessThan(48)
  })

  test('once over, the box is cooled again within the hour', () => {
    const { sent, until } = faulty('compressor-off', 1800, 'lahore-frozen-linehaul', 2 * HOUR)
    const peak = Math.max(...sent.map(({ temperature }) => temperature ?? -99))
    expect(peak).toBeGreaterThan(-10)
    const later = sent
      .filter(({ at }) => at > until + 55 * MINUTE)
      .map(({ temperature }) => temperature ?? 99)
    expect(Math.min(...later)).toBeLessThan(-18)
  })

  test('leaves a cold store hours, by its mass', () => {
    const { sent } = faulty('compressor-off', 7200, 'lahore-frozen-store', 2 * HOUR)
    const rise = (last(sent).temperature ?? Number.NaN) - (sent[0]?.temperature ?? Number.NaN)
    expect(rise).toBeGreaterThan(4)
    expect(rise).toBeLessThan(25)
  })
})

test('door-open warms the box faster than a dead compressor and lets the water in', () => {
  const open = faulty('door-open', 1800, 'lahore-frozen-linehaul', 20 * MINUTE).sent
  const off = faulty('compressor-off', 1800, 'lahore-frozen-linehaul', 20 * MINUTE).sent
  expect(last(open).temperature).toBeGreaterThan((last(off).temperature ?? Number.NaN) + 3)
  expect(last(open).humidity).toBeGreaterThan((open[0]?.humidity ?? Number.NaN) + 5)
})

test('sensor-unplugged: the device goes on without temperature and humidity', () => {
  const { sent, healthy } = faulty('sensor-unplugged', 3600)
  expect(sent).toHaveLength(healthy.length)
  for (const reading of sent) {
    expect(reading.temperature).toBeUndefined()
    expect(reading.humidity).toBeUndefined()
    expect(reading.lat).toBeDefined()
  }
})

test('device-unplugged: it says so, lives on its battery for six hours, then is silent until plugged in', () => {
  const { sent, from, until } = faulty('device-unplugged', 8 * 3600, 'lahore-frozen-linehaul', 9 * HOUR)
  const dying = sent.filter(({ at }) => at < until)
  expect(dying.every(({ unplug, externalVoltage }) => unplug === 1 && externalVoltage === 0)).toBe(true)
  expect(last(dying).batteryVoltage).toBeLessThan((dying[0]?.batteryVoltage ?? 0) - 0.4)
  expect(last(dying).at - from).toBeLessThanOrEqual(6 * HOUR)
  expect(last(dying).at - from).toBeGreaterThan(6 * HOUR - MINUTE)
  expect(last(sent)).toMatchObject({ unplug: 0 })
})

test('gps-lost: no position, and it says that it searches', () => {
  const { sent } = faulty('gps-lost', 3600)
  for (const reading of sent)
    expect([reading.lat, reading.lng, reading.gnssStatus]).toEqual([undefined, undefined, 2])
  expect(last(sent).temperature).toBeDefined()
})

test('offline: silence, then everything it kept at once, oldest first, and nothing is missing', () => {
  const { sent, healthy, until } = faulty('offline', 1800)
  const measured = ({ at, temperature, lat }: (typeof sent)[number]) => ({ at, temperature, lat })
  expect(sent.map(measured)).toEqual(healthy.map(measured))
  const late = sent.filter(({ at, sentAt }) => sentAt > at)
  expect(late.length).toBe(180)
  expect(new Set(late.map(({ sentAt }) => sentAt)).size).toBe(1)
  expect(late[0]?.sentAt).toBeGreaterThanOrEqual(until)
  expect(late[0]?.sentAt).toBeLessThan(until + 10_000)
})

test('offline for a day: the memory holds the last six hours', () => {
  const { sent } = faulty('offline', 24 * 3600, 'lahore-frozen-linehaul', 25 * HOUR)
  const late = sent.filter(({ at, sentAt }) => sentAt > at)
  expect(late).toHaveLength(2160)
})

test('flapping: in and out of the network, silent for longer than a company waits, nothing lost', () => {
  const { sent, healthy } = faulty('flapping', 3600)
  const arrivals = [...new Set(sent.map(({ sentAt }) => sentAt))]
  const gaps = arrivals.map((at, i) => at - (arrivals[i - 1] ?? at)).filter((gap) => gap > 5 * MINUTE)
  expect(gaps.length).toBeGreaterThan(4)
  const arrived = new Set(sent.map(({ at }) => at))
  const until = last(arrivals)
  expect(healthy.filter(({ at }) => at <= until && !arrived.has(at))).toEqual([])
})

test('clock-skew: its clock is wrong by minutes or more, always by the same', () => {
  const { sent, healthy } = faulty('clock-skew', 3600)
  const off = new Set(sent.map(({ at, sentAt }) => at - sentAt))
  expect(off.size).toBe(1)
  expect(Math.abs([...off][0] ?? 0)).toBeGreaterThan(3 * MINUTE)
  expect(sent.map(({ temperature }) => temperature)).toEqual(healthy.map(({ temperature }) => temperature))
})

test('duplicate: everything twice', () => {
  const { sent, healthy } = faulty('duplicate', 3600)
  expect(sent).toEqual(healthy.flatMap((reading) => [reading, reading]))
})

test('stuck-sensor: the value of the moment, for ever, while the vehicle goes on', () => {
  const { sent, healthy } = faulty('stuck-sensor', 3600, 'lahore-frozen-local')
  expect(new Set(sent.map(({ temperature, humidity }) => `${temperature} ${humidity}`)).size).toBe(1)
  expect(Math.abs((sent[0]?.temperature ?? 0) - (healthy[0]?.temperature ?? 0))).toBeLessThan(0.5)
  expect(sent.map(({ lat }) => lat)).toEqual(healthy.map(({ lat }) => lat))
})
