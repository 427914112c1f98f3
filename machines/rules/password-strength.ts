import { isPassword } from './password.ts'

/** How hard a password is to guess, as a hint: `refused` is what the rule does not allow, all others may be set. */
export type PasswordStrength = 'none' | 'refused' | 'fair' | 'good' | 'strong'

/** Bits below which a password that may be set is called fair, and good. */
const GOOD_BITS = 60
const STRONG_BITS = 80

/**
 * A guess at how long guessing takes: characters that are new or do not follow from the one before count in full, the
 * others for one bit. Enough for a hint while typing; it knows no dictionary.
 */
export function strengthOf(password: string): PasswordStrength {
  if (password === '') return 'none'
  if (!isPassword(password)) return 'refused'
  const bits = bitsOf(password)
  if (bits < GOOD_BITS) return 'fair'
  return bits < STRONG_BITS ? 'good' : 'strong'
}

/** log2 of the letters, digits and symbols of a keyboard. */
const FULL = Math.log2(94)

function bitsOf(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  const seen = new Set<number>()
  return codes.reduce((sum, code, i) => {
    const before = codes[i - 1]
    const follows = before !== undefined && Math.abs(code - before) <= 1
    const isNew = !seen.has(code)
    seen.add(code)
    return sum + (isNew && !follows ? FULL : 1)
  }, 0)
}
