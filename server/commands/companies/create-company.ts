import type { CommandOf } from '#machines/contracts/commands.ts'
import { DEFAULT_BOUNDS } from '#machines/contracts/entities/groups.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { companyFaults } from '#machines/rules/company-form.ts'
import { type Decision, decided, faulty } from '../decision.ts'
import { isEmpty, originOf } from '../structure.ts'
import { isNameTaken, nameTaken, trimmed } from './company-words.ts'

/** What a company begins with, until somebody sets it otherwise. */
const BEGINS_WITH = {
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
  const { companyId, groupId, timeZone, deviceKeyHash, ...settings } = command.data
  const name = settings.name.trim()
  const faults = companyFaults(command.data)
  if (faults.length > 0) return faulty(faults)
  if (isNameTaken(directory, name)) return nameTaken()
  const origin = originOf(command, companyId)
  const { retentionDays = null, managersAddDevices = false } = settings
  const more = {
    ...(retentionDays === null ? {} : { retentionDays }),
    ...(managersAddDevices ? { managersAddDevices } : {}),
  }
  return decided(
    {
      ...origin,
      type: 'company.registered',
      data: {
        ...BEGINS_WITH,
        companyId,
        name,
        timeZone,
        deviceKeyHash,
        bam: trimmed(settings.bam ?? null),
        partner: trimmed(settings.partner ?? null),
      },
    },
    {
      ...origin,
      type: 'group.created',
      data: { groupId, companyId, parentId: null, name, description: '', ...THRESHOLDS },
    },
    ...(isEmpty(more)
      ? []
      : [{ ...origin, type: 'company.settings-changed' as const, data: { companyId, ...more } }]),
  )
}
