import type { CommandOf } from '#machines/contracts/commands.ts'
import type { FactData } from '#machines/contracts/facts.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { deviceVersion, isStale } from '#machines/projections/versions.ts'
import { type Decision, decided, NOT_FOUND, refuse, stale } from '../decision.ts'
import { changesOf, isEmpty } from '../structure.ts'
import { IS_RETIRED } from './register-devices.ts'

/**
 * Changes what is said of a device, moves it to another group. Both the device and the group must be in the requester's scope;
 * `topId` is the requester's top group. What is as it was makes no fact.
 */
export function updateDevice(
  directory: Directory,
  { at, by, data }: CommandOf<'device.update'>,
  topId: string,
): Decision {
  const device = deviceByImei(directory, data.imei)
  if (device === undefined || !isWithin(directory, device.groupId, topId)) return refuse(404, NOT_FOUND)
  if (device.retired !== null) return refuse(409, IS_RETIRED)
  if (isStale(data.ifVersion, deviceVersion(device))) return stale()
  if (data.groupId !== undefined && !isWithin(directory, data.groupId, topId)) return refuse(404, NOT_FOUND)
  const name = data.name?.trim()
  if (name === '') return refuse(400, 'This field is required')
  const changes = changesOf(
    {
      name: device.name,
      groupId: device.groupId,
      plateNumber: device.plateNumber,
      vehicleMakeAndModel: device.vehicleMakeAndModel,
      type: device.type,
      calibrationDue: device.calibrationDue,
      clockOffset: device.clockOffset,
    },
    {
      name,
      groupId: data.groupId,
      plateNumber: data.plateNumber?.trim(),
      vehicleMakeAndModel: data.vehicleMakeAndModel?.trim(),
      type: data.type,
      calibrationDue: data.calibrationDue,
      clockOffset: data.clockOffset,
    },
  ) as Omit<FactData<'device.updated'>, 'imei'>
  if (isEmpty(changes)) return decided()
  return decided({
    type: 'device.updated',
    at,
    companyId: device.companyId,
    ...(by === null ? {} : { by }),
    data: { imei: device.imei, ...changes },
  })
}
