import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ObservationFilter, observationFaults } from '../rules/observation-filter.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './observation-search.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./observation-search.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = {
  type: string
  filter?: ObservationFilter
  output?: unknown
  rows?: number
  message?: string
  error?: Error
}

/** The last filter that was right and the rows it was answered with; a file counts its rows from its beginning. */
function oracle(events: readonly Sent[]) {
  let requested: unknown = null
  let shown: unknown = null
  let written = 0
  let error: string | null = null
  for (const { type, filter, output, rows, message, error: thrown } of events) {
    if (filter && observationFaults(filter, model.input.noDevice).length === 0) requested = filter
    if (output !== undefined) shown = { rows: output, requested }
    if (type === 'download') written = 0
    if (type === 'download' || output !== undefined) error = null
    written = rows ?? written
    error = message ?? thrown?.message ?? error
  }
  return { requested, shown, written, error }
}
