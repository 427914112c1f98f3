import type { Directory } from './directory.ts'
import { isSwitchedOn, userSettings } from './settings.ts'

/**
 * Whether somebody gets the daily head of the record as a manager: they have chosen a password, their company is not suspended, and
 * they have not turned it off.
 */
export function getsHeads(directory: Directory, userId: string): boolean {
  const user = directory.users.get(userId)
  return (
    user?.type === 'Manager' &&
    user.passwordHash !== null &&
    directory.companies.get(user.companyId)?.suspended === false &&
    isSwitchedOn(userSettings(directory.settings, userId).email, 'DAILY_HEAD')
  )
}
