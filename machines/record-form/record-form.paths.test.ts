import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { Fields } from './merge.ts'
import type { FormRecord } from './record-form.machine.ts'
import { model } from './record-form.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./record-form.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = {
  type: string
  patch?: Fields
  output?: { kind?: string; record?: FormRecord } & Partial<FormRecord>
}

/** The record that was loaded or saved last, with what was typed since, until somebody else's takes part. */
function oracle(events: readonly Sent[]) {
  let record: FormRecord | null = null
  let now: Fields = {}
  for (const { type, patch, output } of events) {
    // whose version is kept in a conflict is another rule, which merge.test.ts holds
    if (output?.kind === 'conflict') return {}
    if (type.endsWith('load')) record = (output as FormRecord) ?? record
    if (output?.kind === 'saved') record = output.record ?? record
    if (record !== null && output !== undefined && output.kind !== 'refused') now = record.fields
    now = { ...now, ...patch }
  }
  return { now, ...(record && { record }) }
}
