/** What every refused password is told, as the documents have it. */
export const INVALID_PASSWORD = 'Invalid Password'
export const PASSWORDS_DIFFER = 'Password and confirm password does not match'
export const PASSWORD_LENGTH = { least: 8, most: 16 } as const

/**
 * What the passwords that are used most come down to, once their digits and symbols at both ends are gone and letters stand
 * for the signs that are written in their place: Passw0rd, Password123, P@ssw0rd!, Admin@123, Qwerty#1.
 */
const WELL_KNOWN = new Set(
  `aa abc abcd admin administrator asdf asdfgh autumn baseball changeme company computer default demo dragon football
  freedom frostline guest hello iloveyou india internet karachi lahore letmein login love lovely manager master monday
  monkey mustang naruto pakistan pass passport password passwort princess qwert qwerty qwertz root secret shadow spring
  summer sunshine superman temp test testing trustno user welcome winter zxcv zxcvbn`.split(/\s+/),
)
const WRITTEN_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
/** Names shorter than this are part of too many words. */
const LEAST_NAME = 4

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
  ['known', (password) => !isWellKnown(password)],
]

/** All that keeps a password from being taken; empty for one that may be set. */
export const passwordFaults = (password: string): PasswordFault[] =>
  RULES.filter(([, isMet]) => !isMet(password)).map(([fault]) => fault)

/**
 * Whether a password may be set.
 * @param names of the person and their company, which a stranger would try: none of their words may be within it
 */
export const isPassword = (password: string, names: readonly string[] = []): boolean =>
  passwordFaults(password).length === 0 && !holdsName(password, names)

function isWellKnown(password: string): boolean {
  const word = password.toLowerCase().replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return WELL_KNOWN.has(inLetters(word)) || WELL_KNOWN.has(inLetters(password).replace(/[^\p{L}]+$/u, ''))
}

function holdsName(password: string, names: readonly string[]): boolean {
  const texts = [password.toLowerCase(), inLetters(password)]
  const words = names.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return words.some((word) => word.length >= LEAST_NAME && texts.some((text) => text.includes(word)))
}

const inLetters = (text: string): string =>
  [...text.toLowerCase()].map((character) => WRITTEN_AS[character] ?? character).join('')

const fits = (length: number): boolean => length >= PASSWORD_LENGTH.least && length <= PASSWORD_LENGTH.most
