/** What is said of every refused password, as the documents have it. */
export const INVALID_PASSWORD = 'Invalid Password'
export const PASSWORDS_DIFFER = 'Password and confirm password does not match'
export const PASSWORD_LENGTH = { least: 8, most: 16 } as const

/** Meets the rest of the rule or not, these two are what everybody tries first. */
const TOO_WELL_KNOWN = ['Passw0rd', 'Password123']

/** What a password can lack. `length`: not 8 to 16 characters; `space`: it has one; `known`: everybody knows it. */
export type PasswordFault = 'length' | 'uppercase' | 'lowercase' | 'symbol' | 'digit' | 'space' | 'known'

/** In the order a person would mend them; a character is what Unicode calls a code point, of any script. */
const RULES: readonly [PasswordFault, (password: string) => boolean][] = [
  ['length', (password) => fits([...password].length)],
  ['uppercase', (password) => /\p{Lu}/u.test(password)],
  ['lowercase', (password) => /\p{Ll}/u.test(password)],
  ['digit', (password) => /\p{Nd}/u.test(password)],
  ['symbol', (password) => /[\p{P}\p{S}]/u.test(password)],
  ['space', (password) => !/\s/u.test(password)],
  ['known', (password) => !TOO_WELL_KNOWN.includes(password)],
]

/** All that keeps a password from being taken; empty for one that may be set. */
export const passwordFaults = (password: string): PasswordFault[] =>
  RULES.filter(([, isMet]) => !isMet(password)).map(([fault]) => fault)

/** Whether a password may be set. */
export const isPassword = (password: string): boolean => passwordFaults(password).length === 0

const fits = (length: number): boolean => length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most
