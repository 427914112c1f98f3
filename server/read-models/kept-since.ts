import type { Directory } from '#machines/projections/directory.ts'
import { keptFrom, RETENTION_DAYS } from '#machines/rules/retention.ts'

/**
 * Since when every reading of a company's devices is kept, epoch ms, by UTC days: of before some or all are gone, or may be at any moment.
 */
export function keptSince(
  { companies }: Pick<Directory, 'companies'>,
  companyId: string,
  now: number,
): number {
  const { retentionDays = null, goneBefore = 0 } = companies.get(companyId) ?? {}
  return Math.max(keptFrom(RETENTION_DAYS, now), keptFrom(retentionDays, now), goneBefore)
}
