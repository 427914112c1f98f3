import { fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { type DeviceChange, deviceUpdateMachine } from '#machines/device-update/device-update.machine.ts'
import type { Root } from './root.ts'

/**
 * The 'Device Update' form with its effects. What was not touched stays as it is by then, whatever it was when the window
 * opened. The change itself comes back as a fact, like anybody else's.
 */
export function deviceUpdateIn({ http, toasts }: Pick<Root, 'http' | 'toasts'>) {
  return deviceUpdateMachine.provide({
    actors: {
      saveDevice: fromPromise<void, DeviceChange>(async ({ input: { imei, name, groupId }, signal }) => {
        const params = { imei }
        const now = await http.ask(DEVICE_CALLS.thing, { params }, { signal })
        const body = { name: name ?? now.name, groupId: groupId ?? now.groupId ?? '' }
        await http.ask(DEVICE_CALLS.updateThing, { params, body }, { signal, ifMatch: now.version })
      }),
    },
    actions: { announce: () => toasts.success('Device updated successfully!') },
  })
}
