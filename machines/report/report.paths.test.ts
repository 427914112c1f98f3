import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { ReportEvent } from './report.machine.ts'
import { model } from './report.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./report.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(wider, found, oracle))

const wider = {
  ...model,
  events: [...model.events(), { type: 'progress', at: 0, done: 0.2 }, { type: 'progress', at: 0, done: 7 }],
}

/** Only what came after the last start or retry counts: how far it is never goes back. */
function oracle(events: readonly ReportEvent[]) {
  const begun = events.findLastIndex(({ type }) => type === 'start' || type === 'retry')
  const attempt = events.slice(begun + 1)
  const done = attempt.map((one) =>
    one.type === 'progress' ? Math.min(1, one.done) : Number(one.type === 'complete'),
  )
  const [reason = null] = attempt.flatMap((one) => (one.type === 'fail' ? [one.reason] : []))
  return { progress: Math.max(0, ...done), reason }
}
