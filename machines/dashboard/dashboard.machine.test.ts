import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { type CameraWish, type DashboardEvent, dashboardMachine } from './dashboard.machine.ts'

const A = '350000000000001'
const B = '350000000000002'

function after(...events: DashboardEvent[]) {
  const actor = createActor(dashboardMachine)
  const wishes: CameraWish[] = []
  actor.on('*', (wish) => wishes.push(wish))
  actor.start()
  for (const event of events) actor.send(event)
  const { value, context } = actor.getSnapshot()
  return { value, context, wishes }
}

test('the map flies to what is selected, also to the same thing again', () => {
  const { wishes, context } = after(
    { type: 'device.select', imei: A },
    { type: 'device.select', imei: B },
    { type: 'device.select', imei: B },
  )
  expect(wishes.map((wish) => 'imei' in wish && wish.imei)).toEqual([A, B, B])
  expect(context.selected).toBe(B)
})

test('a map taken in hand follows no more until it is asked to', () => {
  const moved = after({ type: 'device.select', imei: A }, { type: 'map.moved' })
  expect(moved.value).toEqual({ selected: 'left alone' })
  const again = after({ type: 'device.select', imei: A }, { type: 'map.moved' }, { type: 'map.follow' })
  expect(again.value).toEqual({ selected: 'followed' })
  expect(again.wishes).toHaveLength(2)
})

test('reset lets go of the selection and keeps the filters', () => {
  const { value, context, wishes } = after(
    { type: 'status.pick', status: 'trouble' },
    { type: 'device.select', imei: A },
    { type: 'map.reset' },
  )
  expect({ value, selected: context.selected, status: context.status }).toEqual({
    value: 'browsing',
    selected: null,
    status: 'trouble',
  })
  expect(wishes.at(-1)).toEqual({ type: 'camera.reset' })
})

test.each<DashboardEvent>([
  { type: 'groups.pick', groups: new Set(['lahore']) },
  { type: 'devices.pick', devices: new Set([A]) },
  { type: 'status.pick', status: 'online' },
  { type: 'words.type', words: 'lhr' },
  { type: 'filters.clear' },
])('the map goes where $type leads, no longer along with the device', (picked) => {
  const { value, context } = after({ type: 'device.select', imei: A }, picked)
  expect({ value, selected: context.selected }).toEqual({ value: { selected: 'left alone' }, selected: A })
})

test('who empties the search stays with the device found', () => {
  const { value, context } = after(
    { type: 'words.type', words: 'lhr' },
    { type: 'device.select', imei: A },
    { type: 'words.type', words: ' ' },
  )
  expect({ value, words: context.words }).toEqual({ value: { selected: 'followed' }, words: ' ' })
})

test('a status picked twice is let go of', () => {
  const { context } = after(
    { type: 'status.pick', status: 'offline' },
    { type: 'status.pick', status: 'offline' },
  )
  expect(context.status).toBe('all')
})

test('clearing the filters keeps the selection', () => {
  const { context } = after(
    { type: 'device.select', imei: A },
    { type: 'groups.pick', groups: new Set(['lahore']) },
    { type: 'devices.pick', devices: new Set([A]) },
    { type: 'words.type', words: 'lhr' },
    { type: 'filters.clear' },
  )
  expect(context).toEqual({ groups: 'all', devices: 'all', status: 'all', words: '', selected: A })
})
