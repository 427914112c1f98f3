import type { Profile } from '#machines/contracts/entities/profiles.ts'

/** Whose it is, and which of its versions: "as shipped", "shipped, version 2", "your own, version 3". */
export const versionWords = ({ number, isShipped }: Pick<Profile, 'number' | 'isShipped'>): string =>
  number === 0 ? 'as shipped' : `${isShipped ? 'shipped' : 'your own'}, version ${number}`
