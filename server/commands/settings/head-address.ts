import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { headAddress } from '#machines/projections/settings.ts'
import { headAddressVersion, isStale } from '#machines/projections/versions.ts'
import { INVALID_EMAIL, isEmail } from '#machines/rules/schedule-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { asksFor } from '../schedules/scheduled-mail.ts'
import { originOf } from '../structure.ts'
import { isManager, type Viewer } from '../views/views.ts'

export const FOR_MANAGERS = "Only managers of the company's top group may change this"

/**
 * Who outside keeps the daily heads of the record for a company. One that is not of the company is asked first whether it wants them
 * (`schedule-mail.asked`), within the bounds of all mails to strangers.
 */
export function setHeadAddress(
  directory: Directory,
  command: CommandOf<'company.set-head-address'>,
  viewer: Viewer,
): Decision {
  const { companyId, ifVersion } = command.data
  const top = directory.groups.get(viewer.groupId)
  if (top?.companyId !== companyId || !directory.companies.has(companyId)) return refuse(404, NOT_FOUND)
  if (!maySetHeadAddress(directory, viewer)) return refuse(403, FOR_MANAGERS)
  if (isStale(ifVersion, headAddressVersion(directory, companyId))) return stale()
  const typed = command.data.address.trim()
  if (typed !== '' && !isEmail(typed)) return faulty([{ path: 'address', message: INVALID_EMAIL }])
  const address = typed === '' ? null : typed
  if (address === headAddress(directory.settings, companyId).address) return decided()
  const origin = originOf(command, companyId)
  return decided(
    { ...origin, type: 'company.head-address-set', data: { companyId, address } },
    ...(address === null ? [] : asksFor(directory, undefined, [address], origin)),
  )
}

/** Managers at the top of a company do. */
export const maySetHeadAddress = (directory: Directory, viewer: Viewer): boolean =>
  directory.groups.get(viewer.groupId)?.parentId === null && isManager(directory, viewer)
