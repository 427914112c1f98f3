import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'

const MOST_REASON = 200
const REASON_TOO_LONG = `At most ${MOST_REASON} characters`

/** Suspends a company or lets it in again; what is so already stays so without a fact. */
export function changeSuspension(
  directory: Directory,
  command: CommandOf<'company.suspend' | 'company.resume'>,
): Decision {
  const { at, by, data } = command
  const company = directory.companies.get(data.companyId)
  if (company === undefined) return refuse(404, NOT_FOUND)
  const suspend = command.type === 'company.suspend'
  const reason = data.reason?.trim() ?? ''
  if (reason.length > MOST_REASON) return faulty([{ path: 'reason', message: REASON_TOO_LONG }])
  if (company.suspended === suspend) return decided()
  return decided({
    type: suspend ? 'company.suspended' : 'company.resumed',
    at,
    companyId: company.companyId,
    ...(by === null ? {} : { by }),
    data: { companyId: company.companyId, ...(reason === '' ? {} : { reason }) },
  })
}
