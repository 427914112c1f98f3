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

/**
 * Whether a stranger would try this password early: one of those that are used most, or with a name within. The server alone
 * looks: the list would be a part of each page before sign-in.
 * @param names of the person and their company
 */
export const isGuessable = (password: string, names: readonly string[] = []): boolean =>
  isWellKnown(password) || holdsName(password, names)

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
