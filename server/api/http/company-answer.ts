import type { CompanyDetail } from '#machines/contracts/entities/companies.ts'
import type { KeyInfo } from '#machines/contracts/entities/device-keys.ts'
import { type DeviceKey, isGood } from '#machines/projections/device-keys.ts'
import type { Company, Directory } from '#machines/projections/directory.ts'
import { topGroup } from '../../commands/access/handoff.ts'

/** `groupId`: the company's topmost group, null before it has one. */
export const companyAnswer = (directory: Directory, company: Company): CompanyDetail => ({
  _id: company.companyId,
  name: company.name,
  suspended: company.suspended,
  suspendedBecause: company.suspendedBecause,
  timeZone: company.timeZone,
  bam: company.bam,
  partner: company.partner,
  retentionDays: company.retentionDays,
  managersAddDevices: company.managersAddDevices,
  groupId: topGroup(directory, company.companyId)?._id ?? null,
  createdAt: new Date(company.createdAt).toISOString(),
  version: String(company.version),
})

/** `lastUsed`, `now`: epoch ms. */
export function keyAnswer(
  { users }: Pick<Directory, 'users'>,
  key: DeviceKey,
  lastUsed: number | null,
  now: number,
): KeyInfo {
  const creator = key.createdBy === null ? undefined : users.get(key.createdBy)
  return {
    _id: key.keyId,
    name: key.name,
    scopes: [...key.scopes],
    createdAt: new Date(key.createdAt).toISOString(),
    createdBy: creator ? `${creator.firstName} ${creator.lastName}`.trim() : null,
    lastUsedAt: lastUsed === null ? null : new Date(lastUsed).toISOString(),
    expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
    isGood: isGood(key, now),
  }
}
