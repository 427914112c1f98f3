import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact, FactType, NewFact } from '#machines/contracts/facts.ts'
import { decodeFleetSnapshot, encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { countsOf, histogramOf } from './counts.ts'
import { createFleet, type Fleet } from './fleet.ts'
import {
  frameOf,
  imeiOf,
  type PlainDevice,
  plainDevice,
  plainGroup,
  snapshotOf,
} from './testing/make-fleet.ts'

/** A fleet whose next frame of the screen comes when the test says so. */
function openFleet() {
  let due: (() => void)[] = []
  const fleet = createFleet((call) => due.push(call))
  const nextFrame = () => {
    const calls = due
    due = []
    for (const call of calls) call()
  }
  return { fleet, nextFrame }
}

const VALUES = [
  'at',
  'lat',
  'lng',
  'group',
  'temperature',
  'humidity',
  'speed',
  'heading',
  'state',
  'kind',
] as const

function shown(fleet: Fleet, deviceNo: number): Omit<PlainDevice, 'imei' | 'name' | 'plate'> {
  const row = fleet.rowOf(deviceNo)
  const device = { no: deviceNo } as PlainDevice
  for (const name of VALUES) device[name] = fleet.columns[name][row] as number
  return device
}

const values = ({ imei: _, name: __, plate: ___, ...rest }: PlainDevice) => rest

let nextSeq = 100
const fact = <T extends FactType>(
  type: T,
  data: Extract<NewFact, { type: T }>['data'],
  seq = nextSeq++,
): Fact => ({ seq, id: `f${seq}`, v: 1, type, at: 0, recordedAt: 0, companyId: 'c', data }) as unknown as Fact

const update = fc.record({
  no: fc.nat(5),
  temperature: fc.integer({ min: -3000, max: 3000 }),
  state: fc.nat(127),
  lat: fc.option(fc.integer({ min: 30e6, max: 31e6 })),
})

/** What a server sends: the fleet at the start, and frames that join on to one another. */
const history = fc.array(fc.array(update, { minLength: 1, maxLength: 5 }), { maxLength: 8 }).map((steps) => {
  const devices = new Map([0, 1, 2, 3, 4, 5].map((deviceNo) => [deviceNo, plainDevice(deviceNo)]))
  const start = [...devices.values()]
  let seq = 10
  const frames = steps.map((updates) => {
    const prevSeq = seq
    const touched = new Set<number>()
    const moved = new Set<number>()
    for (const { no: deviceNo, lat, ...values } of updates) {
      seq++
      touched.add(deviceNo)
      if (lat !== null) moved.add(deviceNo)
      const before = devices.get(deviceNo) as PlainDevice
      devices.set(deviceNo, { ...before, ...values, at: 1000 + seq, lat: lat ?? before.lat })
    }
    const rows = [...touched].map((deviceNo) => devices.get(deviceNo) as PlainDevice)
    return frameOf(prevSeq, seq, rows, (deviceNo) => moved.has(deviceNo))
  })
  return { start, frames, end: [...devices.values()], seq }
})

describe('a fleet', () => {
  test('shows a snapshot as it was sent', () => {
    const { fleet } = openFleet()
    const devices = [plainDevice(7, { name: 'Kühllaster', plate: '' }), plainDevice(3, { lat: -0x80000000 })]
    fleet.load(decodeFleetSnapshot(encodeFleetSnapshot(snapshotOf(5, devices)).buffer as ArrayBuffer))
    for (const device of devices) {
      expect(shown(fleet, device.no)).toEqual(values(device))
      const row = fleet.names.rowOf(device.imei)
      expect(row).toBe(fleet.rowOf(device.no))
      expect(fleet.names.of(row, 'name')).toBe(device.name)
      expect(fleet.names.of(row, 'plate')).toBe(device.plate)
    }
    expect(fleet.seq).toBe(5)
    expect(fleet.rowOf(4)).toBe(-1)
    expect(fleet.rowOf(1e6)).toBe(-1)
    expect(fleet.names.rowOf('nobody')).toBe(-1)
    expect(fleet.columns.x[fleet.rowOf(3)]).toBeNaN()
  })

  test('ends as the server does, in whatever order frames come, and however often', () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), ({ start, frames, end }, dice) => {
        const { fleet } = openFleet()
        fleet.load(snapshotOf(10, start))
        const deliveries = frames.flatMap((frame) =>
          Array.from({ length: 1 + ((dice.next().value as number) % 2) }, () => ({
            frame,
            turn: dice.next().value as number,
          })),
        )
        for (const { frame } of deliveries.toSorted((a, b) => a.turn - b.turn)) fleet.merge(frame, 0)
        expect(end.map((d) => shown(fleet, d.no))).toEqual(end.map(values))
        expect(fleet.counts).toEqual(countsOf(histogramOf(fleet.columns.state, fleet.columns.size)))
      }),
    )
  })

  test('a snapshot that was overtaken by frames does not turn the clock back', () => {
    fc.assert(
      fc.property(history, fc.nat(), ({ start, frames, end, seq }, made) => {
        const { fleet } = openFleet()
        fleet.load(snapshotOf(10, start))
        const late = made % (frames.length + 1)
        const devices = new Map(start.map((d) => [d.no, d]))
        const before = openFleet().fleet
        before.load(snapshotOf(10, start))
        for (const frame of frames.slice(0, late)) before.merge(frame, 0)
        for (const deviceNo of devices.keys())
          devices.set(deviceNo, { ...(devices.get(deviceNo) as PlainDevice), ...shown(before, deviceNo) })
        for (const frame of frames) fleet.merge(frame, 0)
        fleet.load(snapshotOf(before.seq as number, [...devices.values()]))
        expect(end.map((d) => shown(fleet, d.no))).toEqual(end.map(values))
        for (const frame of frames) fleet.merge(frame, 0)
        expect(fleet.seq).toBe(seq)
        expect(fleet.counts).toEqual(countsOf(histogramOf(fleet.columns.state, fleet.columns.size)))
      }),
    )
  })

  test('knows a gap, and that it is closed', () => {
    const { fleet } = openFleet()
    expect(fleet.merge(frameOf(0, 1, []), 0)).toBe('gap')
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    expect(fleet.merge(frameOf(12, 14, [plainDevice(0, { temperature: 1 })]), 0)).toBe('gap')
    expect(fleet.seq).toBe(10)
    expect(fleet.pass(12, 20)).toBe(false)
    expect(fleet.merge(frameOf(10, 13, [plainDevice(0, { temperature: 2 })]), 0)).toBe('joined')
    expect(fleet.seq).toBe(13)
    expect(shown(fleet, 0).temperature).toBe(1)
    expect(fleet.merge(frameOf(9, 12, []), 0)).toBe('joined')
    expect(fleet.pass(13, 20)).toBe(true)
    expect(fleet.seq).toBe(20)
  })

  test('says when a frame tells of a device nobody named', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    expect(fleet.merge(frameOf(10, 11, [plainDevice(9)]), 0)).toBe('stranger')
  })

  test('remembers where a device came from, and how long it took since it was seen there last', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0, { at: 1000, lat: 31e6 })]))
    const [{ columns }, row] = [fleet, fleet.rowOf(0)]
    const from = columns.y[row]
    fleet.merge(
      frameOf(10, 11, [plainDevice(0, { at: 2000 })], () => false),
      50,
    )
    fleet.merge(frameOf(11, 12, [plainDevice(0, { at: 3000, lat: 32e6 })]), 70)
    expect([columns.previousY[row], columns.wayMs[row], columns.movedAt[row]]).toEqual([from, 1000, 70])
    expect(columns.y[row]).toBeLessThan(from as number)
  })

  test('a device that is on its way goes on from there when the fleet is fetched anew', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    fleet.merge(frameOf(10, 11, [plainDevice(0, { at: 3000, lat: 32e6 })]), 70)
    fleet.load(snapshotOf(11, [plainDevice(0, { at: 3000, lat: 32e6 })]))
    expect(fleet.columns.movedAt[fleet.rowOf(0)]).toBe(70)
    expect(fleet.columns.previousY[fleet.rowOf(0)]).not.toBe(fleet.columns.y[fleet.rowOf(0)])
  })

  test('shows another time as it was, with nothing of what was shown before', () => {
    const time = fc.tuple(
      fc.nat(30),
      fc.array(fc.record({ temperature: fc.nat(900), state: fc.nat(127), lat: fc.nat(2) }), {
        minLength: 1,
        maxLength: 4,
      }),
    )
    fc.assert(
      fc.property(fc.array(time, { minLength: 1, maxLength: 6 }), (times) => {
        const { fleet } = openFleet()
        for (const [seq, given] of times) {
          const devices = given.map((its, no) => plainDevice(no, { ...its, lat: 31e6 + its.lat }))
          fleet.load(snapshotOf(seq, devices), true)
          expect(devices.map(({ no }) => shown(fleet, no))).toEqual(devices.map(values))
          const alone = openFleet().fleet
          alone.load(snapshotOf(seq, devices))
          for (const name of ['x', 'y', 'previousX', 'rank'] as const)
            expect(fleet.columns[name]).toEqual(alone.columns[name])
          expect([fleet.seq, fleet.counts]).toEqual([seq, alone.counts])
        }
      }),
    )
  })

  test('has another structure with other devices, names, groups or limits, and not with other values', () => {
    const { fleet } = openFleet()
    const [top, north] = [plainGroup('top'), plainGroup('north', 'top')]
    const devices = [plainDevice(0), plainDevice(1)]
    const other = (of: Partial<PlainDevice>) => [plainDevice(0), plainDevice(1, of)]
    const isOther = (...of: Parameters<typeof snapshotOf>): boolean => {
      const before = fleet.structure
      fleet.load(snapshotOf(...of))
      return fleet.structure !== before
    }
    expect(isOther(10, devices, [top, north])).toBe(true)
    expect(isOther(11, other({ temperature: 7, state: 1, lat: 32e6 }), [top, north])).toBe(false)
    expect(isOther(12, other({ name: 'Reefer X' }), [top, north])).toBe(true)
    expect(fleet.names.of(1, 'name')).toBe('Reefer X')
    expect(isOther(13, other({ group: 1 }), [top, north])).toBe(true)
    expect(isOther(14, other({ group: 1 }), [top, { ...north, highTemperatureThreshold: 9 }])).toBe(true)
    expect(fleet.groups.limits.highTemperature[1]).toBe(900)
    expect(isOther(15, [...devices, plainDevice(2)], [top, north])).toBe(true)
    fleet.apply([fact('device.updated', { imei: imeiOf(2), name: 'Blue' }, 14)])
    expect(isOther(16, [...devices, plainDevice(2)], [top, north])).toBe(false)
    fleet.apply([fact('device.updated', { imei: imeiOf(2), name: 'Blue' }, 20)])
    expect(isOther(17, [...devices, plainDevice(2)], [top, north]), 'a fact says otherwise').toBe(true)
    expect(isOther(21, [...devices, plainDevice(2)], [top, north]), 'it is called so again').toBe(true)
    expect(fleet.names.of(2, 'name')).toBe('Reefer 2')
  })

  test('takes names, moves and new devices from facts, once, and keeps those a late snapshot does not know', () => {
    const { fleet } = openFleet()
    const groups = [plainGroup('top'), plainGroup('north', 'top')]
    fleet.load(snapshotOf(10, [plainDevice(0), plainDevice(1)], groups))
    const renamed = fact('device.updated', { imei: imeiOf(0), name: 'Blue one', groupId: 'north' }, 11)
    const born = fact(
      'device.registered',
      {
        no: 9,
        imei: imeiOf(9),
        companyId: 'c',
        groupId: 'top',
        name: 'New',
        plateNumber: 'N-1',
        vehicleMakeAndModel: '',
        type: 'warehouse',
        source: 'tracker',
      },
      12,
    )
    const stale = fact('device.updated', { imei: imeiOf(1), name: 'Long ago' }, 9)
    for (const round of [1, 2]) {
      fleet.apply([stale, renamed, born])
      expect(fleet.names.of(fleet.rowOf(0), 'name')).toBe('Blue one')
      expect(fleet.names.of(fleet.rowOf(1), 'name')).toBe('Reefer 1')
      expect(fleet.columns.group[fleet.rowOf(0)]).toBe(1)
      expect(fleet.names.rowOf(imeiOf(9))).toBe(fleet.rowOf(9))
      expect(fleet.columns.kind[fleet.rowOf(9)]).toBe(1)
      expect(fleet.counts).toMatchObject({ total: 3, online: 2, disconnected: 1 })
      if (round === 1) fleet.load(snapshotOf(10, [plainDevice(0), plainDevice(1)], groups))
    }
    fleet.merge(frameOf(10, 13, [plainDevice(9, { temperature: 7 })]), 0)
    expect(shown(fleet, 9).temperature).toBe(7)
  })

  test('takes limits, names and new groups from facts', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0)], [plainGroup('top')]))
    fleet.apply([
      fact('group.updated', { groupId: 'top', highTemperatureThreshold: 4, parentId: 'elsewhere' }),
      fact('group.created', {
        ...plainGroup('x'),
        groupId: 'x',
        companyId: 'c',
        parentId: 'top',
        description: '',
      } as never),
    ])
    expect(fleet.groups.limits.highTemperature[0]).toBe(400)
    expect(fleet.groups.list[0]?.parentId).toBeNull()
    expect(fleet.groups.within('top')).toEqual(['top', 'x'])
  })

  test('tells its listeners of each change when it is whole, and nothing after they left', () => {
    const { fleet } = openFleet()
    const heard: unknown[] = []
    const stop = fleet.subscribe(() => heard.push([fleet.seq, fleet.columns.at[0]]))
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    fleet.merge(frameOf(10, 11, [plainDevice(0, { at: 2000 })]), 0)
    stop()
    fleet.merge(frameOf(11, 12, [plainDevice(0, { at: 3000 })]), 0)
    expect(heard).toEqual([
      [10, 1000],
      [11, 2000],
    ])
  })

  test('counts stay the same object while they say the same', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    const before = fleet.counts
    fleet.merge(frameOf(10, 11, [plainDevice(0, { at: 2000 })]), 0)
    expect(fleet.counts).toBe(before)
    fleet.merge(frameOf(11, 12, [plainDevice(0, { state: 1 })]), 0)
    expect(fleet.counts).toMatchObject({ online: 0, offline: 1 })
  })

  test('tells who watches a device of its newer readings, and of no other', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0), plainDevice(1)]))
    const heard: number[] = []
    const stop = fleet.watch(1, (row) => heard.push(fleet.columns.temperature[row] as number))
    fleet.merge(
      frameOf(10, 11, [
        plainDevice(0, { at: 2, temperature: 1 }),
        plainDevice(1, { at: 2000, temperature: 2 }),
      ]),
      0,
    )
    fleet.merge(frameOf(11, 12, [plainDevice(1, { at: 2000, temperature: 2, state: 1 })]), 0)
    stop()
    fleet.merge(frameOf(12, 13, [plainDevice(1, { at: 3000, temperature: 3 })]), 0)
    expect(heard).toEqual([2])
  })

  test('knows how far devices have come that deliver their past, across a fleet fetched anew', () => {
    const { fleet } = openFleet()
    let changes = 0
    fleet.subscribe(() => changes++)
    fleet.noteProgress([], true)
    expect(changes).toBe(0)
    fleet.noteProgress(
      [
        [0, 3, 61],
        [1, 0, 20],
      ],
      false,
    )
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    fleet.noteProgress([[1, 0, 0]], false)
    expect([...fleet.progress]).toEqual([[0, { came: 3, of: 61 }]])
    fleet.noteProgress([[2, 5, 30]], true)
    expect([...fleet.progress.keys()]).toEqual([2])
    fleet.noteProgress([], true)
    expect(fleet.progress.size).toBe(0)
  })

  test('forgets everything when it is cleared', () => {
    const { fleet } = openFleet()
    fleet.load(snapshotOf(10, [plainDevice(0)]))
    fleet.noteProgress([[0, 3, 61]], false)
    fleet.clear()
    expect(fleet.progress.size).toBe(0)
    expect([fleet.seq, fleet.columns.size, fleet.counts.total, fleet.rowOf(0)]).toEqual([undefined, 0, 0, -1])
  })
})
