import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Attention, passengerCheckOf } from '#machines/projections/attention.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

/**
 * Somebody says whether a person was in a vehicle that was unplugged. The same once more changes nothing, so a call that
 * is repeated does no harm; something else corrects it.
 */
export function checkPassenger(
  directory: Directory,
  command: CommandOf<'passenger.check'>,
  attention: Attention,
  topId: string,
): Decision {
  const { imei, isPassenger } = command.data
  const device = deviceByImei(directory, imei)
  if (device === undefined || !isWithin(directory, device.groupId, topId)) return refuse(404, NOT_FOUND)
  const { asked, answered, isPassenger: before } = passengerCheckOf(attention, device.no)
  if (asked === 0 || (answered > asked && before === isPassenger)) return decided()
  return decided({
    ...originOf(command, device.companyId),
    type: 'passenger.checked',
    data: { imei, notificationId: `f${asked}`, isPassenger },
  })
}
