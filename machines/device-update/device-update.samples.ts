import { type DeviceFields, deviceUpdateMachine } from './device-update.machine.ts'

export const device = { imei: '350000000000001', name: 'Reefer 12', groupId: 'lahore' }

export const model = {
  name: 'device-update',
  kind: 'screen' as const,
  machine: deviceUpdateMachine,
  input: device,
  events: [
    { type: 'name.changed', name: 'Reefer 12 north' },
    { type: 'name.changed', name: ' ' },
    { type: 'group.changed', groupId: 'multan' },
    { type: 'save' },
    { type: 'close' },
    { type: 'xstate.done.actor.saveDevice', output: undefined },
    { type: 'xstate.done.actor.saveDevice', output: { name: device.name, groupId: 'multan' } },
    { type: 'xstate.error.actor.saveDevice', error: new Error('Group not found') },
  ],
  serializeState: ({
    value,
    context: { before, now, messages },
  }: {
    value: unknown
    context: { before: DeviceFields; now: DeviceFields; messages: { name: string | null } }
  }) => JSON.stringify([value, before.groupId, now, messages.name]),
  describe: (event: { type: string; name?: string; groupId?: string; output?: object; error?: Error }) => {
    if (event.name !== undefined) return event.name.trim() === '' ? 'a blank name' : 'another name'
    if (event.groupId !== undefined) return 'another group'
    if (event.type === 'save') return 'Save'
    if (event.type === 'close') return 'closing it'
    if (event.output !== undefined) return 'the answer that somebody else moved it'
    return event.error === undefined ? 'the device being saved' : 'a refusal of the server'
  },
}
