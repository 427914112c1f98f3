import { beforeEach, describe, expect, test } from 'vitest'
import type { Fact, FactData, NewFact } from '#machines/contracts/facts.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { company, device, group, statusChanged } from '../testing/facts.ts'
import { KnownLosses } from './known-losses.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const IMEI = '350000000000001'
type Status = FactData<'device-status.changed'>['to']

let losses: KnownLosses
let seq: number
beforeEach(() => {
  seq = 0
  const directory = emptyDirectory()
  const fleet = [company('c'), group('g', 'c', null), device(1, IMEI, 'c', 'g')]
  for (const fact of fleet) evolve(directory, stored(fact))
  losses = new KnownLosses(directory)
})

const stored = (fact: NewFact): Fact => ({ ...fact, seq: ++seq, id: `f${seq}` }) as Fact
const at = (minute: number): number => minute * MINUTE
const changed = (minute: number, from: Status, to: Status): void =>
  losses.add([stored(statusChanged(IMEI, at(minute), from, to, 'c'))])
const revised = (from: number, to: number, before: Status, after: Status): void => {
  const data = { imei: IMEI, from: at(from), to: at(to), before, after }
  losses.add([stored({ type: 'device-status.revised', at: at(from), companyId: 'c', data })])
}
/** From and to, in minutes, and whether late readings say that it began then. */
const known = () =>
  [...losses.known(() => true)].map((one) => [one.at / MINUTE, one.endAt / MINUTE, one.isFound, one.nth])

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
    const later = (40 * DAY) / MINUTE
    for (let i = 0; i < 1100; i++) {
      changed(later + 2 * i, 'online', 'offline')
      changed(later + 2 * i + 1, 'offline', 'online')
    }
    expect(known()[0]).toEqual([later, later + 1, false, 0])
    expect(known()).toHaveLength(1100)
  })
})
