import { assign, emit, raise, setup } from 'xstate'
import type { ThingStatus } from '../contracts/scalars.ts'

/** Ids of what is picked; `'all'` stays all when more come. */
export type Picked = 'all' | ReadonlySet<string>
/** What the stats card can narrow to; `trouble`: at least one open violation. */
export type StatusFilter = 'all' | ThingStatus | 'trouble'
export type DashboardFilters = {
  /** group ids; a device counts by the group it is directly in */
  groups: Picked
  /** imeis */
  devices: Picked
  status: StatusFilter
  /** what was typed to search for; blank: nothing */
  words: string
}

type Context = DashboardFilters & {
  /** imei of the one selected thing */
  selected: string | null
}
export type DashboardEvent =
  | { type: 'groups.pick'; groups: Picked }
  | { type: 'devices.pick'; devices: Picked }
  /** the one that is picked already lets go of it */
  | { type: 'status.pick'; status: StatusFilter }
  | { type: 'words.type'; words: string }
  | { type: 'filters.clear' }
  | { type: 'device.select'; imei: string }
  | { type: 'selection.clear' }
  /**
   * The device left the visitor's scope, or a filter hides it: also where it is in another state now, that list and map never
   * disagree. Who wants to look on takes the filter away.
   */
  | { type: 'selection.lost' }
  /** the visitor took the map in hand, or a filter did */
  | { type: 'map.moved' }
  | { type: 'map.follow' }
  | { type: 'map.reset' }

/** What the map is asked to do. */
export type CameraWish = { type: 'camera.fly'; imei: string } | { type: 'camera.reset' }

/** What the dashboard shows, which one thing is selected, and whether the map goes along with it. */
export const dashboardMachine = setup({
  types: { context: {} as Context, events: {} as DashboardEvent, emitted: {} as CameraWish },
  actions: {
    select: assign(select),
    letGo: assign({ selected: null }),
    pickGroups: assign(pickGroups),
    pickDevices: assign(pickDevices),
    pickStatus: assign(pickStatus),
    typeWords: assign(typeWords),
    clearFilters: assign({ groups: 'all', devices: 'all', status: 'all', words: '' }),
    // What is picked is where the map goes, away from the device it went along with.
    takeMap: raise({ type: 'map.moved' }),
    flyToIt: emit(flight),
    resetCamera: emit({ type: 'camera.reset' as const }),
  },
  guards: { isBlank },
}).createMachine({
  id: 'dashboard',
  context: { groups: 'all', devices: 'all', status: 'all', words: '', selected: null },
  initial: 'browsing',
  on: {
    'groups.pick': { actions: [{ type: 'pickGroups', params: ({ event }) => event }, 'takeMap'] },
    'devices.pick': { actions: [{ type: 'pickDevices', params: ({ event }) => event }, 'takeMap'] },
    'status.pick': { actions: [{ type: 'pickStatus', params: ({ event }) => event }, 'takeMap'] },
    'words.type': [
      {
        // Who found a device and empties the search stays with it.
        guard: { type: 'isBlank', params: ({ event }) => event },
        actions: { type: 'typeWords', params: ({ event }) => event },
      },
      { actions: [{ type: 'typeWords', params: ({ event }) => event }, 'takeMap'] },
    ],
    'filters.clear': { actions: ['clearFilters', 'takeMap'] },
    'device.select': {
      target: '.selected',
      actions: [{ type: 'select', params: ({ event }) => event }, 'flyToIt'],
    },
    'map.reset': { target: '.browsing', actions: ['letGo', 'resetCamera'] },
  },
  states: {
    browsing: {},
    selected: {
      initial: 'followed',
      on: {
        'selection.clear': { target: 'browsing', actions: 'letGo' },
        'selection.lost': { target: 'browsing', actions: 'letGo' },
      },
      states: {
        followed: { on: { 'map.moved': 'left alone' } },
        'left alone': { on: { 'map.follow': { target: 'followed', actions: 'flyToIt' } } },
      },
    },
  },
})

type Args = { context: Context }

function select(_: unknown, { imei }: { imei: string }): Partial<Context> {
  return { selected: imei }
}

function pickGroups(_: unknown, { groups }: { groups: Picked }): Partial<Context> {
  return { groups }
}

function pickDevices(_: unknown, { devices }: { devices: Picked }): Partial<Context> {
  return { devices }
}

function pickStatus({ context }: Args, { status }: { status: StatusFilter }): Partial<Context> {
  return { status: context.status === status ? 'all' : status }
}

function typeWords(_: unknown, { words }: { words: string }): Partial<Context> {
  return { words }
}

function isBlank(_: unknown, { words }: { words: string }): boolean {
  return words.trim() === ''
}

function flight({ context }: Args): CameraWish {
  return { type: 'camera.fly', imei: context.selected as string }
}
