import { is } from 'superstruct'
import { MOST_RETENTION_DAYS, RetentionDays } from '../contracts/entities/companies.ts'
import { Email, Line } from '../contracts/scalars.ts'
import { type Fault, firstFaults, REQUIRED } from './plain-text.ts'
import { isTimeZone } from './zoned-time.ts'

/** What can be set of a company, as it was typed; what is left out is not spoken of. */
export type CompanyForm = {
  name?: string | undefined
  timeZone?: string | undefined
  bam?: { firstName: string; lastName: string; email: string; phone: string } | null | undefined
  partner?: { emergencyHelpLineNumber: string; emergencyEmail: string } | null | undefined
  retentionDays?: number | null | undefined
}

/** What is wrong with it, one fault a field. */
export function companyFaults(form: CompanyForm): Fault[] {
  const { name, timeZone, bam, partner, retentionDays } = form
  return firstFaults<string>([
    ...(name === undefined
      ? []
      : ([
          ['name', REQUIRED, name.trim() === ''],
          ['name', 'A company has a name of at most 200 characters', !is(name.trim(), Line)],
        ] as const)),
    ...(timeZone === undefined
      ? []
      : ([
          ['timeZone', REQUIRED, timeZone === ''],
          ['timeZone', `${timeZone} is no time zone: name one as Asia/Karachi or UTC`, !isTimeZone(timeZone)],
        ] as const)),
    ...(bam
      ? ([
          ['bamName', 'The manager needs a name', bam.firstName.trim() === ''],
          ['bamEmail', 'Invalid email!', bam.email.trim() !== '' && !is(bam.email.trim(), Email)],
        ] as const)
      : []),
    ...(partner
      ? ([
          [
            'helpEmail',
            'Invalid email!',
            partner.emergencyEmail.trim() !== '' && !is(partner.emergencyEmail.trim(), Email),
          ],
        ] as const)
      : []),
    [
      'retentionDays',
      `A whole number of days, 1 to ${MOST_RETENTION_DAYS}`,
      typeof retentionDays === 'number' && !is(retentionDays, RetentionDays),
    ],
  ])
}
