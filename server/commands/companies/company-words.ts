import type { Directory } from '#machines/projections/directory.ts'
import type { Decision } from '../decision.ts'

export const COMPANY_NAME_TAKEN = 'A company of this name is there already'

/** Whether another company is called like this, whatever the case. */
export function isNameTaken({ companies }: Directory, name: string, but?: string): boolean {
  for (const company of companies.values())
    if (company.companyId !== but && company.name.toLowerCase() === name.toLowerCase()) return true
  return false
}

/** 409, at the field `name`. */
export const nameTaken = (): Decision => ({
  facts: [],
  refused: {
    status: 409,
    message: COMPANY_NAME_TAKEN,
    extra: { path: 'name', errors: [{ path: 'name', message: COMPANY_NAME_TAKEN }] },
  },
})

/** The same texts without blanks around them. */
export const trimmed = <T extends Record<string, string> | null>(texts: T): T =>
  texts && (Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as T)
