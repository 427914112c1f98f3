import { expect } from '@playwright/test'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import { REPORT_DAYS } from '#machines/rules/date-range.ts'
import type { Caller, Control } from './control.ts'

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

/** Devices something was done to: what is wrong with them may last. */
const used = new Set<string>()

/** One that works, and that nothing was done to. */
async function freshDevice(api: Caller): Promise<Thing> {
  const device = (await api.fleet()).find(
    ({ imei, thingStatus, temperature, groupId }) =>
      thingStatus === 'online' && temperature !== null && groupId !== null && !used.has(imei),
  )
  if (device === undefined) throw new Error('No device is left to do something to')
  used.add(device.imei)
  return device
}

/** A device is unplugged, and everybody who sees it is notified. */
export async function unplugOne({ api, sim }: { api: Caller; sim: Control }): Promise<void> {
  const { imei } = await freshDevice(api)
  await sim.inject(imei, 'device-unplugged', 600)
  await sim.advance(60)
}

/** The page of notifications, as it opens, has more than so many: those of before the start are found little by little. */
export async function hasMoreNotificationsThan(
  count: number,
  { api, sim }: { api: Caller; sim: Control },
): Promise<void> {
  const { now } = await sim.status()
  const body = { startDate: now - REPORT_DAYS * 86_400_000, endDate: now, limit: 1 }
  const found = () => api.ask(NOTIFICATION_CALLS.notifications, { params: { groupId: api.groupId }, body })
  await expect.poll(async () => (await found()).notificationsCount).toBeGreaterThan(count)
}

/** A device that works comes into a group of its own whose limits it does not keep: soon that is a violation. */
export async function watchClosely(api: Caller): Promise<{ letGo(): Promise<void> }> {
  const { imei, name, groupId, temperature } = await freshDevice(api)
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

export async function removeGroup(api: Caller, { _id: id }: Group): Promise<void> {
  await api.ask(GROUP_CALLS.deleteGroup, { params: { id } })
}
