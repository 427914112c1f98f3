import { fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import {
  type DeviceChange,
  type DeviceFields,
  deviceUpdateMachine,
} from '#machines/device-update/device-update.machine.ts'
import { CallRefused } from '../effects/call-failures.ts'
import type { Root } from './root.ts'

/**
 * The 'Device Update' form with its effects. What was not touched stays as it is by then, whatever it was when the window
 * opened; what is another by now than it was then and than what is wanted is shown before it is written over, also where the answer to
 * an earlier try was lost. The change itself comes back as a fact, like anybody else's.
 */
export function deviceUpdateIn({ http, toasts }: Pick<Root, 'http' | 'toasts'>) {
  return deviceUpdateMachine.provide({
    actors: {
      saveDevice: fromPromise<DeviceFields | undefined, DeviceChange>(
        async ({ input: { imei, before, name, groupId }, signal }) => {
          const params = { imei }
          const read = () => http.ask(DEVICE_CALLS.thing, { params }, { signal })
          const put = async (isLastTry: boolean): Promise<DeviceFields | undefined> => {
            const now = await read()
            if (isAnother(now.name, before.name, name) || isAnother(now.groupId, before.groupId, groupId))
              return fieldsOf(now)
            const body = { name: name ?? now.name, groupId: groupId ?? now.groupId ?? '' }
            try {
              await http.ask(DEVICE_CALLS.updateThing, { params, body }, { signal, ifMatch: now.version })
            } catch (error) {
              if (!(error instanceof CallRefused) || error.status !== 412) throw error
              // perhaps of what does not stand in the window
              return isLastTry ? fieldsOf(await read()) : put(true)
            }
          }
          return put(false)
        },
      ),
    },
    actions: { announce: () => toasts.success('Device updated successfully!') },
  })
}

const fieldsOf = ({ name, groupId }: DeviceFields): DeviceFields => ({ name, groupId })

/** Somebody else set it: it is neither what it was nor what is wanted (undefined: not touched here). */
const isAnother = <T>(now: T, before: T, wanted: T | undefined): boolean =>
  wanted !== undefined && now !== before && now !== wanted
