import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './recording-player.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./recording-player.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(wider, found, oracle))

const wider = { ...model, events: [...model.events, { type: 'jump', to: 9 }, { type: 'jump', to: -1 }] }

/** Where it is: moved by steps, jumps and playing, never out of the recording. */
function oracle(
  events: readonly {
    type: string
    name?: string
    to?: number
    speed?: number
    output?: { steps: number }
    error?: Error
  }[],
) {
  let steps = 0
  let at = 0
  for (const { type, to, output } of events) {
    steps = output?.steps ?? steps
    if (output !== undefined) at = 0
    if (type === 'step.forward') at++
    if (type === 'step.back') at--
    if (type === 'play' && at === steps) at = 0
    at = Math.min(steps, Math.max(0, to ?? at))
  }
  const file = events.findLast(({ type }) => type === 'file.chosen' || type === 'xstate.error.actor.open')
  return {
    steps,
    at,
    name: events.findLast(({ name }) => name !== undefined)?.name ?? '',
    speed: events.findLast(({ speed }) => speed !== undefined)?.speed ?? 1,
    failure: file?.error?.message ?? null,
  }
}
