import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { Incidents } from '#machines/projections/incidents.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'
import { authorName, incidentInScope, subjectOf } from './in-scope.ts'

export const NOT_OPEN = 'Only what lasts can be taken'

type Requested = CommandOf<'violation.take'> | CommandOf<'violation.release'>

/** Somebody has a violation or a loss that lasts from now on, whoever had it: a colleague's shift may be over. */
export function take(
  directory: Directory,
  command: CommandOf<'violation.take'>,
  fact: Fact | undefined,
  incidents: Incidents,
  topId: string,
): Decision {
  const requested = openIncident(directory, command, fact, incidents, topId)
  if ('refused' in requested) return requested.refused
  if (requested.holderId === command.by) return { facts: [] }
  return decided({ ...requested.origin, type: 'violation.taken', data: requested.data })
}

/** Somebody gives up what they have; what another has stays theirs. */
export function release(
  directory: Directory,
  command: CommandOf<'violation.release'>,
  fact: Fact | undefined,
  incidents: Incidents,
  topId: string,
): Decision {
  const requested = openIncident(directory, command, fact, incidents, topId)
  if ('refused' in requested) return requested.refused
  if (requested.holderId === undefined) return { facts: [] }
  if (requested.holderId !== command.by) return refuse(409, `${requested.holderName} has it`)
  return decided({ ...requested.origin, type: 'violation.released', data: requested.data })
}

function openIncident(
  directory: Directory,
  command: Requested,
  fact: Fact | undefined,
  incidents: Incidents,
  topId: string,
) {
  const notification = incidentInScope(directory, incidents, fact, topId)
  if (notification === undefined) return { refused: refuse(404, NOT_FOUND) }
  const known = incidents.open.get(subjectOf(notification.fact, incidents)?.violationId ?? '')
  if (known === undefined) return { refused: refuse(422, NOT_OPEN) }
  const { violationId, imei, type, holder } = known
  const { notificationId } = command.data
  const userName = authorName(directory, command.by)
  return {
    origin: originOf(command, notification.device.companyId),
    data: { violationId, notificationId, imei, type, userName },
    holderId: holder?.userId,
    holderName: holder?.userName,
  }
}
