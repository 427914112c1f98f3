import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { moved, originOf } from '../structure.ts'
import { IS_RETIRED } from './register-devices.ts'

/**
 * Several devices go into one group, in one commit. Devices and group must be in the requester's scope, all of them: `topId` is
 * the requester's top group. What is there already makes no fact; what is retired stays (`stayed`).
 */
export function moveDevices(
  directory: Directory,
  command: CommandOf<'device.move'>,
  topId: string,
): Decision {
  const { things, groupId } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  const devices = [...new Set(things)].map((imei) => deviceByImei(directory, imei))
  const seen = devices.filter(
    (device) => device !== undefined && isWithin(directory, device.groupId, topId),
  ) as NonNullable<(typeof devices)[number]>[]
  if (seen.length < devices.length) return refuse(404, NOT_FOUND)
  return decided(
    ...moved(
      seen.filter(({ retired }) => retired === null),
      groupId,
      originOf(command, group.companyId),
    ),
  )
}

/** Of these devices, all in scope, those that a move leaves where they are, and why. */
export const stayed = (
  directory: Directory,
  things: readonly string[],
): { imei: string; message: string }[] =>
  [...new Set(things)].flatMap((imei) =>
    deviceByImei(directory, imei)?.retired ? [{ imei, message: IS_RETIRED }] : [],
  )
