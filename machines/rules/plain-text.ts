/** Letters and digits of any script, space and hyphen: what names and descriptions may be made of. */
export const isAlphanumeric = (text: string): boolean => /^[\p{L}\p{M}\p{N} -]*$/u.test(text)

export const REQUIRED = 'This field is required'

/** One thing wrong with one field of a form. */
export type Fault<F extends string = string> = { path: F; message: string }

/** The first thing wrong with each field, in the order of the checks: `[field, message, whether it is wrong]`. */
export function firstFaults<F extends string>(
  checks: readonly (readonly [F, string, boolean])[],
): Fault<F>[] {
  const faults = new Map<F, Fault<F>>()
  for (const [path, message, isWrong] of checks)
    if (isWrong && !faults.has(path)) faults.set(path, { path, message })
  return [...faults.values()]
}

/** Whether there is nothing to be seen: blanks, control and formatting characters at most. */
export const isBlank = (text: string): boolean => !/[^\s\p{C}\p{Z}]/u.test(text)

/** A text of at most `most` UTF-16 units, with … where it was cut: never within the pair of one sign. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text

/** A text without its control characters; line breaks and tabs stay. */
export const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\r\t]/gu, '')
