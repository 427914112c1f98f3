import { is } from 'superstruct'
import type { CommandOf } from '#machines/contracts/commands.ts'
import { DEFAULT_BOUNDS } from '#machines/contracts/entities/groups.ts'
import { Line } from '#machines/contracts/scalars.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type Decision, decided, faulty, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

export const COMPANY_NAME_TAKEN = 'A company of this name is there already'

/** What a company begins with, until somebody sets it otherwise. */
const BEGINS_WITH = {
  bam: null,
  partner: null,
  patienceSeconds: 300,
  violationDelaySeconds: 900,
  clearMarginTemperature: 0.5,
  clearMarginHumidity: 2,
  ...DEFAULT_BOUNDS,
} as const
/** Of its top group: chilled goods. */
const THRESHOLDS = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
} as const

/** A company with its top group, which is called as it is. */
export function createCompany(directory: Directory, command: CommandOf<'company.create'>): Decision {
  const { companyId, groupId, timeZone, deviceKeyHash } = command.data
  const name = command.data.name.trim()
  const faults = [
    ...(is(name, Line) ? [] : [{ path: 'name', message: 'A company has a name of at most 200 characters' }]),
    ...(isTimeZone(timeZone)
      ? []
      : [{ path: 'timeZone', message: `${timeZone} is no time zone: name one as Asia/Karachi or UTC` }]),
  ]
  if (faults.length > 0) return faulty(faults)
  for (const company of directory.companies.values())
    if (company.name.toLowerCase() === name.toLowerCase()) return refuse(409, COMPANY_NAME_TAKEN)
  const origin = originOf(command, companyId)
  return decided(
    {
      ...origin,
      type: 'company.registered',
      data: { companyId, name, timeZone, deviceKeyHash, ...BEGINS_WITH },
    },
    {
      ...origin,
      type: 'group.created',
      data: { groupId, companyId, parentId: null, name, description: '', ...THRESHOLDS },
    },
  )
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
