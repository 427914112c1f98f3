import { fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import { type DeviceChange, deviceUpdateMachine } from '#machines/device-update/device-update.machine.ts'
import type { Root } from './root.ts'

/**
 * The 'Device Update' form with its effects. What was not touched stays as it is by then, whatever it was when the window
 * opened; what is another by now than it was then and than what is wanted is nobody's to write over, also where the answer to an
 * earlier try was lost. The change itself comes back as a fact, like anybody else's.
 */
export function deviceUpdateIn({ http, toasts }: Pick<Root, 'http' | 'toasts'>) {
  return deviceUpdateMachine.provide({
    actors: {
      saveDevice: fromPromise<void, DeviceChange>(
        async ({ input: { imei, before, name, groupId }, signal }) => {
          const params = { imei }
          const now = await http.ask(DEVICE_CALLS.thing, { params }, { signal })
          if (isAnother(now.name, before.name, name) || isAnother(now.groupId, before.groupId, groupId))
            throw new Error(CHANGED_MEANWHILE)
          const body = { name: name ?? now.name, groupId: groupId ?? now.groupId ?? '' }
          await http.ask(DEVICE_CALLS.updateThing, { params, body }, { signal, ifMatch: now.version })
        },
      ),
    },
    actions: { announce: () => toasts.success('Device updated successfully!') },
  })
}

/** Somebody else set it: it is neither what it was nor what is wanted (undefined: not touched here). */
const isAnother = <T>(now: T, before: T, wanted: T | undefined): boolean =>
  wanted !== undefined && now !== before && now !== wanted
