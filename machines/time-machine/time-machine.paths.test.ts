import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './time-machine.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./time-machine.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** What is asked for, what is shown, and why not: told by the events alone. */
function oracle(
  events: readonly {
    type: string
    at?: number
    by?: number
    view?: string
    to?: number
    speed?: number
    output?: { shown: number }
    shown?: number
    error?: Error
  }[],
) {
  const known = {
    at: 0,
    view: 'then',
    isDifferencesOnly: false,
    shown: null as number | null,
    speed: 60,
    failure: null as string | null,
  }
  for (const { type, at, by = 0, view, to, speed, output, shown, error } of events) {
    const isAnswer = output !== undefined || shown !== undefined
    const asks = ['look.back', 'step', 'view.choose', 'differences.toggle', 'leave'].includes(type)
    if (asks || isAnswer) known.failure = null
    known.at = to ?? at ?? known.at + by
    known.speed = speed ?? known.speed
    known.shown = output?.shown ?? shown ?? to ?? known.shown
    known.failure = error?.message ?? known.failure
    if (view !== undefined) Object.assign(known, { view, isDifferencesOnly: false })
    if (type === 'differences.toggle') known.isDifferencesOnly = !known.isDifferencesOnly
    if (type === 'leave') Object.assign(known, { shown: null, isDifferencesOnly: false })
  }
  return known
}
