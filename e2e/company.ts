import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { Thresholds } from '#machines/contracts/facts.ts'
import type { Caller } from './control.ts'

/** Wide enough for every cargo: nothing in a group that has them is out of limits. */
export const WIDE: Thresholds = {
  lowTemperatureThreshold: -30,
  highTemperatureThreshold: 70,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 100,
}

/** The group right below the operator's own that is called so: the one there is, or a new one with these thresholds. */
export async function groupNamed(api: Caller, name: string, thresholds = WIDE): Promise<Group> {
  return (await findGroup(api, name)) ?? (await makeGroup(api, name, thresholds))
}

export async function findGroup(api: Caller, name: string): Promise<Group | undefined> {
  const own = await api.ask(GROUP_CALLS.group, { params: { id: api.groupId } })
  return own.child.find((group) => group.name === name)
}

export async function makeGroup(
  api: Caller,
  name: string,
  thresholds = WIDE,
  things: string[] = [],
): Promise<Group> {
  const { _id: parentId, companyId } = await api.ask(GROUP_CALLS.group, { params: { id: api.groupId } })
  const body = { name, description: '', parentId, companyId, things, ...thresholds }
  return api.ask(GROUP_CALLS.createGroup, { body })
}

/** Those that were watched before may be out of limits still. */
const watched = new Set<string>()

/** A device that works comes into a group of its own whose limits it does not keep: soon that is a violation. */
export async function watchClosely(api: Caller): Promise<{ letGo(): Promise<void> }> {
  const device = (await api.fleet()).find(
    ({ imei, thingStatus, temperature, groupId }) =>
      thingStatus === 'online' && temperature !== null && groupId !== null && !watched.has(imei),
  )
  if (device === undefined) throw new Error('No device is left that could be watched')
  const { imei, name, groupId, temperature } = device
  watched.add(imei)
  const beyond = { ...WIDE, lowTemperatureThreshold: Math.ceil(temperature ?? 0) + 5 }
  const { _id: id } = await makeGroup(api, `Watched ${imei}`, beyond, [imei])
  return {
    async letGo() {
      const body = { name, groupId: groupId ?? '' }
      await api.ask(DEVICE_CALLS.updateThing, { params: { imei }, body })
      await api.ask(GROUP_CALLS.deleteGroup, { params: { id } })
    },
  }
}
