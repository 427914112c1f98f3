import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Fault } from '../rules/plain-text.ts'
import { type ViolationFilter, violationFilterFaults } from '../rules/violation-filter.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { ValidFilter } from './violation-search.machine.ts'
import { model } from './violation-search.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./violation-search.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = { type: string; filter?: ViolationFilter; now?: number; output?: unknown; error?: Error }

/** The last filter that was right, moved on to now where it reached the present; what it may lack is counted. */
function oracle(events: readonly Sent[]) {
  let { filter, now: askedAt } = model.input
  let news = 0
  let shown = null
  let faults: readonly Fault[] = []
  let error = null
  const reachesNow = () => filter.range.to >= askedAt - 120_000
  for (const { type, now = 0, output, ...event } of events) {
    if (type === 'violation') news++
    if (type === 'search') {
      faults = violationFilterFaults(event.filter as ViolationFilter, now, model.input.timeZone)
      if (faults.length > 0) continue
      filter = event.filter as ValidFilter
    }
    if (type === 'refresh' && reachesNow() && filter.range.to < now) {
      const { from, to } = filter.range
      filter = { ...filter, range: { from: now - (to - from), to: now } }
    }
    if (type === 'search' || type === 'refresh') {
      askedAt = now
      news = 0
      faults = []
    }
    if (type.startsWith('xstate.done')) {
      shown = { answer: output, filter, at: askedAt }
      error = null
    }
    error = event.error?.message ?? error
  }
  return { filter, askedAt, reachesNow: reachesNow(), news, shown, faults, error }
}
