import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OVERDUE } from '../rules/overdue.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { MISSED, type SensorEvent } from './sensor.machine.ts'
import { model } from './sensor.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./sensor.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** By the readings that are newer than all before them: how many of the last of them lack a value, and for how long. */
function oracle(events: readonly SensorEvent[]) {
  const taken = events.filter(({ at }, i) => events.slice(0, i).every((before) => before.at < at))
  const last = taken.findLastIndex(({ measured }) => measured)
  const [before, measured] = taken
    .slice(0, last + 1)
    .filter((one) => one.measured)
    .slice(-2)
  const since = taken[last]?.at ?? 0
  const apart = before && measured ? measured.at - before.at : Number.POSITIVE_INFINITY
  const lacking = taken.slice(last + 1)
  const isOver = lacking.some(
    ({ at, gap }, i) => i + 1 >= MISSED && at - since >= Math.min(OVERDUE * apart, gap),
  )
  const state = last < 0 ? 'unknown' : isOver ? 'unplugged' : 'plugged'
  return {
    state,
    lastAt: taken.at(-1)?.at ?? Number.NEGATIVE_INFINITY,
    missed: state === 'plugged' ? Math.min(lacking.length, MISSED - 1) : 0,
  }
}
