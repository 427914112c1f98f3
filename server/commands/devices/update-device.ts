import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { deviceVersion, isStale } from '#machines/projections/versions.ts'
import { type Decision, decided, NOT_FOUND, refuse, stale } from '../decision.ts'

/**
 * Renames a device, moves it to another group. Both the device and the group must be in the requester's scope;
 * `topId` is the requester's top group. What is as it was makes no fact.
 */
export function updateDevice(
  directory: Directory,
  { at, by, data }: CommandOf<'device.update'>,
  topId: string,
): Decision {
  const device = deviceByImei(directory, data.imei)
  if (device === undefined || !isWithin(directory, device.groupId, topId)) return refuse(404, NOT_FOUND)
  if (data.groupId !== undefined && !isWithin(directory, data.groupId, topId)) return refuse(404, NOT_FOUND)
  if (isStale(data.ifVersion, deviceVersion(device))) return stale()
  const name = data.name?.trim()
  if (name === '') return refuse(400, 'This field is required')
  const changes = {
    ...(name !== undefined && name !== device.name ? { name } : {}),
    ...(data.groupId !== undefined && data.groupId !== device.groupId ? { groupId: data.groupId } : {}),
  }
  if (Object.keys(changes).length === 0) return decided()
  return decided({
    type: 'device.updated',
    at,
    companyId: device.companyId,
    ...(by === null ? {} : { by }),
    data: { imei: device.imei, ...changes },
  })
}
