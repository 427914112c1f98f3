import { USER_ROLES, USER_TYPES } from '#machines/contracts/entities/users.ts'
import { ALERT_WORDS, DAILY_HEAD_WORDS, SETTING_WORDS } from '../../format/setting-words.ts'

const FIELDS: Record<string, string> = {
  firstName: 'First Name',
  lastName: 'Last Name',
  userName: 'User Name',
  email: 'Email',
  phone: 'Phone',
  type: 'Type',
  role: 'Role',
  group: 'Group',
  groupId: 'Group',
  activated: 'Activated',
}
const MEANS: Record<string, string> = { sms: 'SMS', email: 'E-mail' }

/** A field of a user, of their settings or of their alerts in words; undefined for one that is none. */
export function userField(field: string): string | undefined {
  if (Object.hasOwn(FIELDS, field)) return FIELDS[field]
  if (field === 'email.DAILY_HEAD') return DAILY_HEAD_WORDS
  const [means = '', violation] = field.split('.')
  const known = ALERT_WORDS.find(({ id }) => id === violation)
  if (known !== undefined) return `${MEANS[means]}: ${known.label}`
  return SETTING_WORDS.get(field)
}

/** A value of such a field in words. */
export function userValue(field: string, value: unknown): string {
  if (typeof value !== 'boolean') return String(value ?? '')
  if (field === 'activated') return value ? 'yes' : 'no'
  return value ? 'on' : 'off'
}

export const TYPE_OPTIONS = optionsOf(USER_TYPES)

/** The known roles, and one a user already has. */
export const roleOptions = (has: string) =>
  optionsOf(has === '' || USER_ROLES.some((role) => role === has) ? USER_ROLES : [...USER_ROLES, has])

function optionsOf(words: readonly string[]): { id: string; text: string }[] {
  return words.map((word) => ({ id: word, text: word.charAt(0).toUpperCase() + word.slice(1) }))
}
