import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReportChoice } from '../rules/report-request.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './report-request.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./report-request.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** What is chosen adds up; what is wrong with a field goes when it is chosen anew. */
function oracle(
  events: readonly { type: string; patch?: Partial<ReportChoice>; now?: number; error?: Error }[],
) {
  const { check } = model.input
  let { choice } = model.input
  let faults = check(choice, 0).slice(0, 0)
  let refusals = 0
  for (const { type, patch = {}, now = 0 } of events) {
    choice = { ...choice, ...patch }
    faults = faults.filter(({ path }) => !(path in patch))
    if (type !== 'submit') continue
    faults = check(choice, now)
    if (faults.length > 0) refusals++
  }
  const last = events.findLast(({ type }) => !type.startsWith('xstate.done'))
  return { choice, faults, refusals, error: last?.error?.message ?? null }
}
