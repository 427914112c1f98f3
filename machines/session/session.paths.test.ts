import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import { model } from './session.samples.ts'
import { type HandOff, renewed, type Session } from './session.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./session.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** Who is in, who waits for an administrator's end, and what a page to set a password may use. */
function oracle(events: readonly AnyEventObject[]) {
  let session: Session | null = model.input.remembered
  let before: Session | null = null
  let handOff: HandOff | null = null
  let reset: string | null = null
  let isAside = false
  for (const { type, output, error, ...event } of events) {
    if (ENDS.includes(type) || (type === 'xstate.error.actor.refresh' && error.isRefusal)) {
      session = null
      reset = null
    }
    if (output?.kind === 'signed-in') session = output.session
    if (output?.kind === 'reset-required') reset = output.reset.token
    if (type === 'reset.resumed') reset = event.token
    if (type === 'group.told' && session !== null)
      session = {
        ...session,
        groupInfo: { ...session.groupInfo, name: event.name, groupImage: event.groupImage },
      }
    if (type === 'user.told' && session !== null)
      session = { ...session, user: { ...session.user, name: event.name } }
    if (type === 'xstate.done.actor.refresh') session = session && renewed(session, output)
    if (type === 'session.stored-elsewhere' && session?.user._id === event.session.user._id)
      session = event.session
    if (type === 'hand-off.arrived') [before, session, handOff] = [session, null, event.handOff]
    if (type.endsWith('.checkHandOff')) handOff = null
    if (type === 'xstate.done.actor.checkHandOff') [before, session] = [null, output]
    // From a refused hand-off it goes on as before; from a suspended company from nothing.
    if (type === 'sign-in.again' && isAside) [session, before] = [before, null]
    else if (type === 'sign-in.again') reset = null
    if (type === 'hand-off.arrived') isAside = true
    if (type === 'sign-in.again' || type === 'xstate.done.actor.checkHandOff') isAside = false
  }
  return { session, before, handOff, reset }
}

const ENDS = [
  'sign-out',
  'sign-out.here',
  'reset.done',
  'session.left-elsewhere',
  'session.refused',
  'session.ran-out',
  'session.ended-by-server',
]
