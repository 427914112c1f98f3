import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Fact, FactData, NewFact } from '#machines/contracts/facts.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { company, device, group, statusChanged } from '../testing/facts.ts'
import { KnownLosses } from './known-losses.ts'
import { spansOf } from './loss-spans.ts'

vi.mock('./loss-spans.ts', { spy: true })

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const IMEI = '350000000000001'
const OTHER = '350000000000002'
const ALWAYS = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
type Status = FactData<'device-status.changed'>['to']

let losses: KnownLosses
let seq: number
beforeEach(() => {
  seq = 0
  const directory = emptyDirectory()
  const fleet = [company('c'), group('g', 'c', null), device(1, IMEI, 'c', 'g'), device(2, OTHER, 'c', 'g')]
  for (const fact of fleet) evolve(directory, stored(fact))
  losses = new KnownLosses(directory)
})

const stored = (fact: NewFact): Fact => ({ ...fact, seq: ++seq, id: `f${seq}` }) as Fact
const at = (minute: number): number => minute * MINUTE
const changed = (minute: number, from: Status, to: Status, imei = IMEI): void =>
  losses.add([stored(statusChanged(imei, at(minute), from, to, 'c'))])
const revised = (from: number, to: number, before: Status, after: Status, imei = IMEI): void => {
  const data = { imei, from: at(from), to: at(to), before, after }
  losses.add([stored({ type: 'device-status.revised', at: at(from), companyId: 'c', data })])
}
/** A month on, in minutes. */
const LATER = (40 * DAY) / MINUTE
/** Lost and back more often than there is room for at first. */
const flap = (from: number, imei = IMEI): void => {
  for (let i = 0; i < 1100; i++) {
    changed(from + 2 * i, 'online', 'offline', imei)
    changed(from + 2 * i + 1, 'offline', 'online', imei)
  }
}
/** From and to, in minutes, and whether late readings say that it began then. */
const known = (requested = {}) =>
  [...losses.known({ ...ALWAYS, isRequested: () => true, ...requested })].map((one) => [
    one.at / MINUTE,
    one.endAt / MINUTE,
    one.isFound,
    one.nth,
  ])

describe('a loss that was told is, as is known now,', () => {
  test('what it was told to be, where nothing came late', () => {
    changed(5, 'online', 'offline')
    expect(known()).toEqual([[5, Number.POSITIVE_INFINITY, false, 0]])
    changed(90, 'offline', 'online')
    expect(known()).toEqual([[5, 90, false, 0]])
  })

  test('none where it was heard all the while, one that is shorter, or several', () => {
    changed(5, 'online', 'offline')
    changed(90, 'offline', 'online')
    revised(5, 20, 'offline', 'online')
    expect(known()).toEqual([[20, 90, true, 0]])
    revised(40, 50, 'offline', 'online')
    expect(known()).toEqual([
      [20, 40, true, 0],
      [50, 90, true, 1],
    ])
    revised(20, 40, 'offline', 'online')
    revised(50, 90, 'disconnected', 'online')
    expect(known()).toEqual([])
  })

  test('longer where it had no supply before or after it was told, and what nothing told of is none', () => {
    changed(30, 'online', 'offline')
    changed(60, 'offline', 'online')
    revised(20, 30, 'online', 'disconnected')
    revised(60, 65, 'online', 'disconnected')
    revised(80, 90, 'online', 'disconnected')
    revised(35, 50, 'offline', 'disconnected')
    expect(known()).toEqual([[20, 65, true, 0]])
  })

  test('what was told last: a revision changes nothing of what is told after it', () => {
    changed(5, 'online', 'offline')
    revised(5, 10, 'offline', 'online')
    revised(5, 8, 'online', 'offline')
    changed(9, 'offline', 'online')
    changed(9.5, 'online', 'offline')
    expect(known()).toEqual([
      [5, 8, true, 0],
      [9.5, Number.POSITIVE_INFINITY, false, 0],
    ])
  })

  test('let go of with its revisions when nobody looks back at it any more', () => {
    changed(5, 'online', 'offline')
    changed(90, 'offline', 'online')
    revised(5, 20, 'offline', 'online')
    expect(losses.revisionCount).toBe(1)
    flap(LATER)
    expect(known()[0]).toEqual([LATER, LATER + 1, false, 0])
    expect(known()).toHaveLength(1100)
    expect(losses.revisionCount).toBe(0)
  })
})

describe('revisions are kept', () => {
  test('of no loss that is let go of, nor of a device that was never lost', () => {
    changed(LATER, 'online', 'offline')
    changed(LATER + 5, 'offline', 'online')
    revised(5, 20, 'offline', 'online')
    revised(LATER, LATER + 2, 'offline', 'online', OTHER)
    expect(losses.revisionCount).toBe(0)
  })

  test('as long as the loss they are of, also where it lasts or lasted for longer than anybody looks back', () => {
    changed(5, 'online', 'offline')
    revised(5, 20, 'offline', 'online')
    flap(LATER, OTHER)
    const isRequested = (no: number): boolean => no === 1
    expect(known({ isRequested })).toEqual([[20, Number.POSITIVE_INFINITY, true, 0]])
    changed(LATER + 3000, 'offline', 'online')
    revised(20, 30, 'offline', 'online')
    flap(LATER + 3000, OTHER)
    expect(known({ isRequested })).toEqual([[30, LATER + 3000, true, 0]])
  })
})

describe('who asks for those of a time and of some devices', () => {
  test('has no others folded', () => {
    flap(0)
    flap(0, OTHER)
    vi.mocked(spansOf).mockClear()
    const requested = { from: at(100), to: at(104), isRequested: (no: number) => no === 2 }
    expect(known(requested)).toEqual([
      [100, 101, false, 0],
      [102, 103, false, 0],
      [104, 105, false, 0],
    ])
    expect(spansOf).toHaveBeenCalledTimes(3)
  })

  test('is told of those alone that were in it, by what is known now', () => {
    changed(10, 'online', 'offline')
    changed(20, 'offline', 'online')
    changed(50, 'online', 'offline')
    changed(90, 'offline', 'online')
    revised(20, 40, 'online', 'disconnected')
    revised(50, 60, 'offline', 'online')
    expect(known({ from: at(30), to: at(35) })).toEqual([[10, 40, false, 0]])
    expect(known({ from: at(40), to: at(55) })).toEqual([])
    expect(known({ from: at(45), to: at(60) })).toEqual([[60, 90, true, 0]])
  })
})
