import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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

/** By the readings that are newer than all before them, and how many of the last of them lack a value. */
function oracle(events: readonly SensorEvent[]) {
  const taken = events.filter(({ at }, i) => events.slice(0, i).every((before) => before.at < at))
  const lastWithValue = taken.findLastIndex(({ measured }) => measured)
  const lacking = taken.length - 1 - lastWithValue
  const state = lastWithValue < 0 ? 'unknown' : lacking < MISSED ? 'plugged' : 'unplugged'
  return {
    state,
    lastAt: taken.at(-1)?.at ?? Number.NEGATIVE_INFINITY,
    missed: state === 'plugged' ? lacking : 0,
  }
}
