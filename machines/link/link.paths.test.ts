import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIVE_CLOSE } from '../contracts/live-messages.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { BACK_OFF, type LinkEvent } from './link.machine.ts'
import { AT, cut, model } from './link.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./link.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(wider, found, oracle))

const wider = {
  ...model,
  events: [...model.events, { ...cut, at: AT + 1000 }, { type: 'networkLost', at: AT + 2000 }],
}

/** What counts is what came since it was last let in, up to its being outdated; a token that ran out then is no failure. */
function oracle(all: readonly LinkEvent[]) {
  const end = all.findIndex(({ type }) => type === 'outdated')
  const events = end < 0 ? all : all.slice(0, end)
  const opened = events.findLastIndex(({ type }) => type === 'opened')
  const after = events.slice(opened + 1)
  const [first] = after
  const isRenewal = opened >= 0 && first?.type === 'closed' && first.code === LIVE_CLOSE.refused
  const [at = null] = after.flatMap((one) => ('at' in one ? [one.at] : []))
  let failures = 0
  let ending = null
  for (const one of isRenewal ? after.slice(1) : after) {
    if (one.type === 'closed') ending = { code: one.code, reason: one.reason }
    else if (one.type.includes('.patience.')) ending = null
    if (one.type === 'closed' && one.code === LIVE_CLOSE.refused) failures = BACK_OFF.length
    else if (one.type === 'closed' || one.type.includes('.patience.')) failures++
  }
  return { failures, offlineSince: opened < 0 ? model.input.at : at, ending }
}
