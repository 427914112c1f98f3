import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { DeviceStatusEvent } from './device-status.machine.ts'
import { model } from './device-status.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))

test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./device-status.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(wider, found, oracle))

/** With a device whose clock is ahead, too, and another patience. */
const wider = {
  ...model,
  events: (snapshot: AnyMachineSnapshot) => [
    ...model.events(snapshot),
    { type: 'reading', at: 9e12, recordedAt: Math.max(snapshot.context.heardAt, 0) + 60_000, unplug: null },
    { type: 'patience.changed', patience: 60_000 },
  ],
}

/** The newest reading counts, at no later time than it was stored; the newest patience holds. */
function oracle(events: readonly DeviceStatusEvent[]) {
  const heard = events.flatMap((one) => (one.type === 'reading' ? [Math.min(one.at, one.recordedAt)] : []))
  const patience = events.flatMap((one) => (one.type === 'patience.changed' ? [one.patience] : []))
  return {
    heardAt: Math.max(Number.NEGATIVE_INFINITY, ...heard),
    patience: patience.at(-1) ?? model.input.patience,
  }
}
