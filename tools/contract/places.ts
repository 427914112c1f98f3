import { readdirSync } from 'node:fs'

const DECISIONS = new URL('../../docs/decisions/', import.meta.url)

/** The two parts of `path#rest`, as a requirement writes a place; '' for the second where there is none. */
export function parted(place: string): [path: string, rest: string] {
  const at = place.indexOf('#')
  return at < 0 ? [place, ''] : [place.slice(0, at), place.slice(at + 1)]
}

/** The file of the decision with a number of four digits, below `docs/decisions/`; undefined where there is none. */
export const decisionFile = (number: string): string | undefined =>
  readdirSync(DECISIONS).find((file) => file.startsWith(`${number}-`))
