import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import { isAbove, isBelow, isOver, type Side, worse } from '../rules/limits.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { ViolationEvent } from './violation.machine.ts'
import { model } from './violation.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./violation.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(wider, found, oracle))

/** With values farther out, too: the worst is not always the last; most are beyond either limit. */
const wider = {
  ...model,
  events: (snapshot: AnyMachineSnapshot) => [
    ...model.events(snapshot),
    ...[11, 13, 13, 13, 0].map((value) => ({
      type: 'reading',
      at: Math.max(snapshot.context.lastAt, 0) + 60_000,
      value,
      lat: null,
      lng: null,
    })),
  ],
}

type Spell = { side: Side; limit: number; since: number; worst: number }

/** Readings in their order: a spell beyond a limit, of which a violation is made when it has lasted. */
function oracle(events: readonly ViolationEvent[]) {
  let { limits } = model.input
  let lastAt = Number.NEGATIVE_INFINITY
  let value = Number.NaN
  let spell = null as Spell | null
  let isViolated = false
  for (const event of events) {
    if (event.type === 'limits.changed') {
      limits = event.limits
      if (!isViolated) spell = null
      continue
    }
    if (event.at <= lastAt || (event.type === 'reading' && Number.isNaN(event.value))) continue
    const silence = event.at - lastAt
    lastAt = event.at
    if (event.type === 'sensor.unplugged') {
      spell = null
      isViolated = false
      continue
    }
    value = event.value
    const side = isAbove(value, limits) ? 'high' : isBelow(value, limits) ? 'low' : null
    const isOther = spell !== null && side !== null && side !== spell.side
    if (spell !== null && isViolated && !isOther) {
      if (isOver(value, spell.side, spell.limit, limits)) {
        spell = null
        isViolated = false
      } else spell = { ...spell, limit: limits[spell.side], worst: worse(spell.side, spell.worst, value) }
    } else if (side === null) spell = null
    else if (spell === null || isOther || silence > limits.gap) {
      spell = { side, limit: limits[side], since: lastAt, worst: value }
      isViolated = false
    } else spell = { ...spell, worst: worse(side, spell.worst, value) }
    if (spell !== null && lastAt - spell.since >= limits.delay) isViolated = true
  }
  const where = spell?.side === 'high' ? 'above' : 'below'
  const state = spell === null ? 'inside' : { [where]: isViolated ? 'violated' : 'briefly' }
  return { state, limits, lastAt, value, ...spell }
}
