import { expect, test } from 'vitest'
import type { Fact, FactData, NewFact } from '#machines/contracts/facts.ts'
import { emptyAttention, evolveAttention } from '#machines/projections/attention.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { company, device, group, violationOpened, violationRevised } from '../testing/facts.ts'
import { KnownNotifications } from './known-notifications.ts'
import { LongViolations } from './long-violations.ts'

const DAY = 86_400_000
const IMEI = '350000000000001'
type Revised = FactData<'violation.revised'>['after']

/** Violations that open a day after each other, from day 0, each revised as said; days. */
function setUp() {
  const [directory, attention] = [emptyDirectory(), emptyAttention()]
  const known = new KnownNotifications(directory)
  let seq = 0
  const add = (fact: NewFact, day = 0): void => {
    const stored = { ...fact, seq: ++seq, id: `f${seq}`, recordedAt: day * DAY } as Fact
    evolve(directory, stored)
    evolveAttention(attention, directory, stored)
    known.add([stored])
  }
  for (const fact of [company('c'), group('g', 'c', null), device(1, IMEI, 'c', 'g')]) add(fact)
  const span = (from: number, to: number | null): NonNullable<Revised> => ({
    ...{ since: from * DAY, openedAt: from * DAY, clearedAt: to && to * DAY, threshold: 8, worst: 9 },
  })
  return {
    known,
    long: new LongViolations(known, { attention }),
    opened: (day: number) => add(violationOpened(IMEI, day * DAY, {}, 'c'), day),
    /** @param recorded when the revision came */
    revised: (
      day: number,
      before: [number, number | null],
      after: [number, number | null],
      recorded: number,
    ) =>
      add(
        violationRevised(IMEI, day * DAY, { before: span(...before), after: span(...after) }, 'c'),
        recorded,
      ),
  }
}

test('a violation that late readings changed is a long one only where it lasts or lasted long', () => {
  const { known, long, opened, revised } = setUp()
  for (let day = 0; day < 50; day++) opened(day)
  for (let day = 0; day < 50; day++) revised(day, [day, null], [day, day + 1], day + 2)
  expect(long.before(100 * DAY)).toEqual([])
  // what was looked at is another one now
  revised(7, [7, 8], [6, 40], 101)
  revised(9, [9, 10], [9.5, 11], 101)
  expect(long.before(100 * DAY)).toEqual([7])
  revised(7, [6, 40], [6, 7], 102)
  revised(9, [9.5, 11], [9.5, null], 102)
  expect(long.before(100 * DAY)).toEqual([7, 9])
  expect(known.rows.length).toBe(50)
})

test('one that was held to last for long when late readings showed it to be over is a long one of that time', () => {
  const { long, opened, revised } = setUp()
  opened(0)
  revised(0, [0, null], [0, 1], 40)
  expect(long.before(100 * DAY)).toEqual([0])
})
