import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Incidents, kindKey, openedSeqOf, shelvedNoMore } from '#machines/projections/incidents.ts'
import { withoutControls } from '#machines/rules/plain-text.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { devicesInScope, originOf } from '../structure.ts'
import { authorName } from './in-scope.ts'

export const NO_REASON = 'Please say why it is shelved'
export const TOO_LONG = 'It can be shelved for 1 minute to 24 hours'
const MOST_MINUTES = 24 * 60

/** Where it is decided about what is shelved of a device, one thing after the other. */
export const shelvingStream = (imei: string): string => `shelving-${imei}`

/** Nobody is notified of a known alarm, one kind and side of a device or that it is lost, for a time. Shelved already, it is so for the new time. */
export function shelve(
  directory: Directory,
  command: CommandOf<'violation.shelve'>,
  topId: string,
): Decision {
  const { imei, type, minutes } = command.data
  const device = devicesInScope(directory, [imei], topId)?.[0]
  if (device === undefined) return refuse(404, NOT_FOUND)
  const reason = withoutControls(command.data.reason).trim()
  if (reason === '') return faulty([{ path: 'reason', message: NO_REASON }])
  if (minutes < 1 || minutes > MOST_MINUTES) return faulty([{ path: 'minutes', message: TOO_LONG }])
  const until = command.at + minutes * 60_000
  const userName = authorName(directory, command.by)
  return decided({
    ...originOf(command, device.companyId),
    type: 'violation.shelved',
    data: { imei: device.imei, type, until, reason, userName },
  })
}

/** Somebody ends it early; what is not shelved stays as it is. */
export function unshelve(
  directory: Directory,
  command: CommandOf<'violation.unshelve'>,
  incidents: Incidents,
  topId: string,
): Decision {
  const { imei, type } = command.data
  const device = devicesInScope(directory, [imei], topId)?.[0]
  if (device === undefined) return refuse(404, NOT_FOUND)
  const kind = { imei: device.imei, type }
  if (!incidents.shelved.has(kindKey(kind))) return { facts: [] }
  const userName = authorName(directory, command.by)
  return decided({
    ...originOf(command, device.companyId),
    type: 'violation.unshelved',
    data: { ...kind, opened: openedSeqOf(incidents, kind), userName },
  })
}

/** It is shelved no more, unless somebody shelved it anew meanwhile: what lasts is alerted once. */
export function endShelving(
  directory: Directory,
  command: CommandOf<'violation.end-shelving'>,
  incidents: Incidents,
): Decision {
  const kind = command.data
  const isIt = (one: typeof kind): boolean => kindKey(one) === kindKey(kind)
  if (!shelvedNoMore(incidents, command.at).some(isIt)) return { facts: [] }
  const companyId = directory.devices[directory.numbers.get(kind.imei) ?? -1]?.companyId ?? null
  return decided({
    at: command.at,
    companyId,
    type: 'violation.unshelved',
    data: { ...kind, opened: openedSeqOf(incidents, kind) },
  })
}
