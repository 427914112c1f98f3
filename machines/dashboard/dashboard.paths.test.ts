import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { DashboardEvent } from './dashboard.machine.ts'
import { model } from './dashboard.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(readFileSync(new URL('./dashboard.paths.txt', import.meta.url), 'utf8')))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

/** The last choice of each kind since all were cleared; the same status again is none. */
function oracle(events: readonly DashboardEvent[]) {
  const seen = { groups: 'all', devices: 'all', status: 'all', selected: null } as Record<string, unknown>
  for (const event of events) {
    if (event.type === 'groups.pick') seen.groups = event.groups
    if (event.type === 'devices.pick') seen.devices = event.devices
    if (event.type === 'status.pick') seen.status = event.status === seen.status ? 'all' : event.status
    if (event.type === 'filters.clear') Object.assign(seen, { groups: 'all', devices: 'all', status: 'all' })
    if (event.type === 'device.select') seen.selected = event.imei
    if (event.type.startsWith('selection.') || event.type === 'map.reset') seen.selected = null
  }
  return seen
}
