import { dashboardMachine } from './dashboard.machine.ts'

export const model = {
  name: 'dashboard',
  kind: 'screen' as const,
  machine: dashboardMachine,
  events: [
    { type: 'device.select', imei: '350000000000001' },
    { type: 'device.select', imei: '350000000000002' },
    { type: 'selection.clear' },
    { type: 'selection.lost' },
    { type: 'map.moved' },
    { type: 'map.follow' },
    { type: 'map.reset' },
    { type: 'groups.pick', groups: new Set(['lahore']) },
    { type: 'devices.pick', devices: new Set(['350000000000001']) },
    { type: 'status.pick', status: 'offline' },
    { type: 'words.type', words: 'reefer' },
    { type: 'words.type', words: '' },
    { type: 'filters.clear' },
  ],
  serializeState: (snapshot: { value: unknown; context: { selected: string | null } }) =>
    JSON.stringify([snapshot.value, snapshot.context.selected]),
  describe: (event: { type: string; imei?: string; words?: string }) => {
    if (event.words !== undefined)
      return event.words === '' ? 'the search emptied' : 'words typed to search for'
    if (event.imei !== undefined)
      return event.imei.endsWith('2') ? 'another device picked' : 'a device picked'
    return words[event.type]
  },
}

const words: Record<string, string> = {
  'selection.clear': 'the selection let go',
  'selection.lost': 'the device going out of scope',
  'map.moved': 'the map taken in hand',
  'map.follow': 'Follow',
  'map.reset': 'Reset',
  'groups.pick': 'groups picked',
  'devices.pick': 'devices picked',
  'status.pick': 'a status picked',
  'filters.clear': 'filters cleared',
}
