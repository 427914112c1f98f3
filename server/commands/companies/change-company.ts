import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Company, Directory } from '#machines/projections/directory.ts'
import { companyFaults } from '#machines/rules/company-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { isEmpty, originOf } from '../structure.ts'
import { isNameTaken, nameTaken, trimmed } from './company-words.ts'

/** Name, time zone, whom to call, how long readings are kept; what is so already stays without a fact. */
export function changeCompany(directory: Directory, command: CommandOf<'company.change'>): Decision {
  const { companyId, ifVersion, ...typed } = command.data
  const company = directory.companies.get(companyId)
  if (company === undefined) return refuse(404, NOT_FOUND)
  if (ifVersion !== null && ifVersion !== String(company.version)) return stale()
  const faults = companyFaults(typed)
  if (faults.length > 0) return faulty(faults)
  const name = typed.name?.trim()
  if (name !== undefined && isNameTaken(directory, name, companyId)) return nameTaken()
  const wanted = {
    name,
    timeZone: typed.timeZone,
    bam: typed.bam && trimmed(typed.bam),
    partner: typed.partner && trimmed(typed.partner),
    retentionDays: typed.retentionDays,
    managersAddDevices: typed.managersAddDevices,
  }
  const changes = otherThan(company, wanted)
  if (isEmpty(changes)) return decided()
  return decided({
    ...originOf(command, companyId),
    type: 'company.settings-changed',
    data: { companyId, ...changes },
  })
}

type Settings = Pick<
  Company,
  'name' | 'timeZone' | 'bam' | 'partner' | 'retentionDays' | 'managersAddDevices'
>

const otherThan = (
  now: Settings,
  wanted: { [K in keyof Settings]: Settings[K] | undefined },
): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) =>
        value !== undefined && JSON.stringify(value) !== JSON.stringify(now[name as keyof Settings]),
    ),
  )
