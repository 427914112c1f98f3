import { fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { type DeviceChange, deviceUpdateMachine } from '#machines/device-update/device-update.machine.ts'
import type { Root } from './root.ts'

/** The 'Device Update' form with its effects. The change itself comes back as a fact, like anybody else's. */
export function deviceUpdateIn({ http, toasts }: Pick<Root, 'http' | 'toasts'>) {
  return deviceUpdateMachine.provide({
    actors: {
      saveDevice: fromPromise<void, DeviceChange>(async ({ input: { imei, name, groupId }, signal }) => {
        await http.ask(DEVICE_CALLS.updateThing, { params: { imei }, body: { name, groupId } }, { signal })
      }),
    },
    actions: { announce: () => toasts.success('Device updated successfully!') },
  })
}
