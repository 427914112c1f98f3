import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { suspension } from '../access/sessions.ts'
import { type Decision, decided, NOT_FOUND, type Refused, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

/** Who registers, changes trackers, retires: `topId` is their top group. */
export type Registrar = { userId: string; companyId: string; topId: string; isSuperAdmin: boolean }

const MAY_NOT_ADD = 'Only a super admin may add devices in this company'
const IN_NO_COMPANY = 'Each device is of a company, and you are in none: enter one first, under Companies'
const SENDER_GONE = 'Who sent this list has no account any more'
export const NO_COMPANY_DEVICE = 'This IMEI cannot be registered here. Ask your administrator.'
export const WAS_RETIRED =
  'This IMEI belonged to a device that is gone: only a super admin can take it in again'
export const IS_RETIRED = 'This device is retired'

/** Why somebody may not add devices, replace their trackers or retire them; undefined: they may. */
export function whyNotAdd(
  { companies, users }: Pick<Directory, 'companies' | 'users'>,
  { userId, companyId, isSuperAdmin }: Pick<Registrar, 'userId' | 'companyId' | 'isSuperAdmin'>,
): string | undefined {
  const company = companies.get(companyId)
  // administrators are of none until they enter one: their device would be nobody's
  if (company === undefined) return IN_NO_COMPANY
  if (isSuperAdmin) return undefined
  return company.managersAddDevices && users.get(userId)?.type === 'Manager' ? undefined : MAY_NOT_ADD
}

/** What a registrar may do by now, who may have been moved since they asked, or why they may do nothing more. */
export function registrarNow({ companies, users }: Directory, who: Registrar): Registrar | Refused {
  const user = users.get(who.userId)
  if (user === undefined) return { status: 403, message: SENDER_GONE }
  const suspended = suspension(companies.get(who.companyId))
  if (suspended) return suspended
  // a super admin may be in a company not their own, of which they see all
  if (who.isSuperAdmin && user.superAdmin) return who
  if (user.companyId !== who.companyId) return { status: 403, message: MAY_NOT_ADD }
  return { ...who, topId: user.groupId, isSuperAdmin: false }
}

/** Why this IMEI is not free for the registrar's company; undefined: it is. */
export function imeiTaken(directory: Directory, imei: string, who: Registrar): string | undefined {
  const device = deviceByImei(directory, imei)
  if (device === undefined) return undefined
  const isMine = device.companyId === who.companyId
  if (!isUsedBy(device, imei)) {
    if (who.isSuperAdmin) return undefined
    return isMine ? WAS_RETIRED : NO_COMPANY_DEVICE
  }
  if (isMine && isWithin(directory, device.groupId, who.topId))
    return `This IMEI is registered already: ${device.name}`
  if (!who.isSuperAdmin) return NO_COMPANY_DEVICE
  return `This IMEI is registered already, in ${directory.companies.get(device.companyId)?.name ?? 'another company'}`
}

/** Whether a device sends under this IMEI now: neither is it retired nor its tracker replaced. */
export const isUsedBy = (device: Device, imei: string): boolean =>
  device.retired === null && device.imei === imei

/**
 * Registers devices in the order given, all or none. Their groups must be in the registrar's scope. Those that came over a list are
 * passed over where they are registered by now (`skipKnown`), so that the same list can be taken again.
 */
export function registerDevices(
  directory: Directory,
  { at, by, data }: CommandOf<'device.register'>,
  who: Registrar,
): Decision {
  const whyNot = whyNotAdd(directory, who)
  if (whyNot !== undefined) return refuse(403, whyNot)
  const facts: NewFact[] = []
  const taken = new Set<string>()
  let no = directory.devices.length
  for (const [index, device] of data.devices.entries()) {
    const groupId = device.groupId ?? who.topId
    if (!isWithin(directory, groupId, who.topId)) {
      if (data.skipKnown) continue
      return refuse(404, NOT_FOUND)
    }
    const reason = taken.has(device.imei)
      ? 'This IMEI is named twice'
      : imeiTaken(directory, device.imei, who)
    const name = device.name.trim()
    if (reason !== undefined || name === '') {
      if (data.skipKnown) continue
      const path = `${data.devices.length === 1 ? '' : `devices.${index}.`}${reason ? 'imei' : 'name'}`
      const message = reason ?? 'This field is required'
      return {
        facts: [],
        refused: { status: 422, message, extra: { path, errors: [{ path, message }] } },
      }
    }
    taken.add(device.imei)
    facts.push({
      ...originOf({ at, by }, who.companyId),
      type: 'device.registered',
      data: registered(device, no++, groupId, who.companyId, data.source),
    })
  }
  return decided(...facts)
}

function registered(
  device: CommandData<'device.register'>['devices'][number],
  no: number,
  groupId: string,
  companyId: string,
  source: 'tracker' | 'api',
): FactData<'device.registered'> {
  return {
    no,
    imei: device.imei,
    companyId,
    groupId,
    name: device.name.trim(),
    plateNumber: device.plateNumber.trim(),
    vehicleMakeAndModel: device.vehicleMakeAndModel.trim(),
    type: device.type,
    source,
    ...(device.calibrationDue ? { calibrationDue: device.calibrationDue } : {}),
    ...(device.clockOffset ? { clockOffset: device.clockOffset } : {}),
  }
}

/** A device that the registrar sees and may do this to; a refusal otherwise. */
function inUse(directory: Directory, imei: string, who: Registrar): Device | Decision {
  const device = deviceByImei(directory, imei)
  if (device === undefined || !isWithin(directory, device.groupId, who.topId)) return refuse(404, NOT_FOUND)
  const whyNot = whyNotAdd(directory, who)
  if (whyNot !== undefined) return refuse(403, whyNot)
  return device.retired === null ? device : refuse(409, IS_RETIRED)
}

/** Another tracker reports for the device from now on. Saying it again is done already. */
export function replaceTracker(
  directory: Directory,
  { at, by, data }: CommandOf<'device.replace-tracker'>,
  who: Registrar,
): Decision {
  const device = inUse(directory, data.imei, who)
  if ('facts' in device) return device
  if (device.imei === data.newImei) return decided()
  const message = imeiTaken(directory, data.newImei, who)
  // what it had before, or one that is free
  const isItsOwn = deviceByImei(directory, data.newImei) === device
  if (message !== undefined && !isItsOwn)
    return {
      facts: [],
      refused: { status: 422, message, extra: { path: 'imei', errors: [{ path: 'imei', message }] } },
    }
  return decided({
    ...originOf({ at, by }, device.companyId),
    type: 'device.tracker-replaced',
    data: { no: device.no, before: device.imei, after: data.newImei },
  })
}

/** The device is gone from lists, map and counts. Retiring it again is done already. */
export function retireDevice(
  directory: Directory,
  { at, by, data }: CommandOf<'device.retire'>,
  who: Registrar,
): Decision {
  const device = inUse(directory, data.imei, who)
  if ('facts' in device) return device.refused?.message === IS_RETIRED ? decided() : device
  const reason = data.reason.trim()
  return decided({
    ...originOf({ at, by }, device.companyId),
    type: 'device.retired',
    data: { no: device.no, imei: device.imei, ...(reason === '' ? {} : { reason }) },
  })
}
