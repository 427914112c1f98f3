import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFleet } from './fleet.ts'
import { createFleetView } from './fleet-view.ts'
import { EVERYTHING, maskOf, worstFirst } from './selection.ts'
import { SEVERITIES, SEVERITY_OF, severityOf } from './severity.ts'
import {
  frameOf,
  imeiOf,
  type PlainDevice,
  plainDevice,
  plainGroup,
  snapshotOf,
} from './testing/make-fleet.ts'

const [HOT, COLD, HUMID, DRY, UNPLUGGED] = [0b100, 0b1000, 0b1_0000, 0b10_0000, 0b100_0000]
const GROUPS = [plainGroup('top'), plainGroup('north', 'top'), plainGroup('south', 'top')]

function open(devices: PlainDevice[]) {
  const fleet = createFleet(() => {})
  fleet.load(snapshotOf(1, devices, GROUPS))
  return fleet
}

describe('how bad a state is', () => {
  test.each([
    [0, 'fine'],
    [1, 'offline'],
    [2, 'disconnected'],
    [3, 'disconnected'],
    [UNPLUGGED | 1, 'sensorUnplugged'],
    [DRY, 'tooDry'],
    [HUMID | UNPLUGGED, 'tooHumid'],
    [COLD | HUMID, 'tooCold'],
    [HOT | COLD | DRY | 2, 'tooHot'],
  ])('%i is %s', (state, severity) => expect(severityOf(state)).toBe(severity))
})

describe('worst first', () => {
  test('is by severity, then by how far out, then as they were', () => {
    const fleet = open([
      plainDevice(0),
      plainDevice(1, { state: HOT, temperature: 900 }),
      plainDevice(2, { state: 1 }),
      plainDevice(3, { state: HOT, temperature: 1200 }),
      plainDevice(4),
      plainDevice(5, { state: COLD, temperature: -500 }),
      plainDevice(6, { state: HUMID, humidity: 9000 }),
      plainDevice(7, { state: HUMID, humidity: 9500 }),
      plainDevice(8, { state: DRY, humidity: 100 }),
      plainDevice(9, { state: 2 }),
    ])
    expect([...worstFirst(fleet, undefined)]).toEqual([3, 1, 5, 7, 6, 8, 9, 2, 0, 4])
  })

  test('takes what is not measured for no farther out than the limit', () => {
    const [noTemperature, noHumidity] = [-0x8000, 0xffff]
    const fleet = open([
      plainDevice(0, { state: COLD, temperature: noTemperature }),
      plainDevice(1, { state: COLD, temperature: -100 }),
      plainDevice(2, { state: HUMID, humidity: noHumidity }),
      plainDevice(3, { state: HUMID, humidity: 9000 }),
    ])
    expect([...worstFirst(fleet, undefined)]).toEqual([1, 0, 3, 2])
  })

  test('goes on below: beyond a limit and not told yet, near one, the calm, and last who was never heard', () => {
    const fleet = open([
      plainDevice(0, { at: 0, state: 2 }),
      plainDevice(1, { temperature: 500 }),
      plainDevice(2, { temperature: 770 }),
      plainDevice(3, { temperature: 810 }),
      plainDevice(4, { temperature: 240, state: 1 }),
      plainDevice(5, { temperature: 60 }),
    ])
    expect([...worstFirst(fleet, undefined)]).toEqual([4, 3, 2, 5, 1, 0])
  })

  test('changes with a reading, but not while a value goes to and fro at the edge of near', () => {
    const fleet = open([plainDevice(0), plainDevice(1)])
    let frames = 1
    const measures = (temperature: number) => {
      fleet.merge(frameOf(frames, ++frames, [plainDevice(1, { at: 1000 * frames, temperature })]), 0)
      return [...worstFirst(fleet, undefined)]
    }
    expect(measures(745)).toEqual([1, 0])
    const { order } = fleet
    expect([measures(735), measures(745), measures(735)]).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ])
    expect(fleet.order).toBe(order)
    expect(measures(500)).toEqual([0, 1])
  })

  test('holds each row of the selection once', () => {
    const device = fc.record({ state: fc.nat(127), temperature: fc.integer({ min: -3000, max: 3000 }) })
    fc.assert(
      fc.property(fc.array(device, { maxLength: 40 }), fc.nat(), (devices, dice) => {
        const fleet = open(devices.map((d, deviceNo) => plainDevice(deviceNo, d)))
        const mask = Uint8Array.from(devices, (_, i) => (dice >> (i % 30)) & 1)
        const rows = [...worstFirst(fleet, mask)]
        expect(rows.toSorted((a, b) => a - b)).toEqual(devices.flatMap((_, i) => (mask[i] === 1 ? [i] : [])))
        const severities = rows.map((row) => SEVERITY_OF[fleet.columns.state[row] as number] as number)
        expect(severities).toEqual(severities.toSorted((a, b) => b - a))
        expect(Math.max(0, ...severities)).toBeLessThan(SEVERITIES.length)
      }),
    )
  })
})

describe('a selection', () => {
  const fleet = () =>
    open([0, 1, 2, 3, 4, 5].map((deviceNo) => plainDevice(deviceNo, { group: deviceNo % 3 })))
  const rows = (mask: Uint8Array | undefined) => mask && [...mask].flatMap((m, row) => (m === 1 ? [row] : []))

  test('of nothing is everything', () => expect(maskOf(fleet(), EVERYTHING)).toBeUndefined())
  test('of groups is the devices in them', () =>
    expect(rows(maskOf(fleet(), { groupIds: ['north', 'top'], imeis: [] }))).toEqual([0, 1, 3, 4]))
  test('of devices is those that exist', () =>
    expect(rows(maskOf(fleet(), { groupIds: [], imeis: [imeiOf(5), '0', imeiOf(2)] }))).toEqual([2, 5]))
  test('of both is what is in both', () =>
    expect(rows(maskOf(fleet(), { groupIds: ['south'], imeis: [imeiOf(5), imeiOf(1)] }))).toEqual([5]))
  test('of what a search found is what of it is in the groups', () => {
    const found = Uint32Array.of(4, 0, 2)
    expect(rows(maskOf(fleet(), { groupIds: [], imeis: [], found }))).toEqual([0, 2, 4])
    expect(rows(maskOf(fleet(), { groupIds: ['north', 'top'], imeis: [], found }))).toEqual([0, 4])
  })
  test('of a group nobody has is empty', () =>
    expect(rows(maskOf(fleet(), { groupIds: ['gone'], imeis: [] }))).toEqual([]))
})

describe('a view of the fleet', () => {
  test('computes again only what has changed', () => {
    const fleet = open([plainDevice(0), plainDevice(1)])
    const view = createFleetView(fleet)
    const selection = { groupIds: ['top'], imeis: [] }
    const [rows, counts, mask] = [view.rows(selection), view.counts(selection), view.mask(selection)]
    fleet.merge(frameOf(1, 2, [plainDevice(1, { at: 2000, temperature: 500 })]), 0)
    expect([view.rows(selection), view.counts(selection), view.mask(selection)]).toEqual([rows, counts, mask])
    expect(view.rows(selection)).toBe(rows)
    expect(view.counts(selection)).toBe(counts)
    expect(view.mask(selection)).toBe(mask)
    fleet.merge(frameOf(2, 3, [plainDevice(1, { state: HOT, temperature: 900 })]), 0)
    expect([...view.rows(selection)]).toEqual([1, 0])
    expect(view.counts(selection)).toMatchObject({ total: 2, trouble: 1 })
    expect(view.counts({ groupIds: ['north'], imeis: [] }).total).toBe(0)
  })

  test('keeps the order of a search, whatever is worse', () => {
    const view = createFleetView(open([plainDevice(0), plainDevice(1, { state: HOT }), plainDevice(2)]))
    expect([...view.rows({ groupIds: [], imeis: [], found: Uint32Array.of(2, 1) })]).toEqual([2, 1])
  })
})
