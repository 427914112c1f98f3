import { deviceUpdateMachine } from './device-update.machine.ts'

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
    { type: 'xstate.error.actor.saveDevice', error: new Error('Group not found') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: { now: { name: string; groupId: string | null }; messages: { name: string | null } }
  }) => JSON.stringify([snapshot.value, snapshot.context.now, snapshot.context.messages.name]),
  describe: (event: { type: string; name?: string; groupId?: string; error?: Error }) => {
    if (event.name !== undefined) return event.name.trim() === '' ? 'a blank name' : 'another name'
    if (event.groupId !== undefined) return 'another group'
    if (event.type === 'save') return 'Save'
    if (event.type === 'close') return 'closing it'
    return event.error === undefined ? 'the device being saved' : 'a refusal of the server'
  },
}
