import type { Profile } from '#machines/contracts/entities/profiles.ts'

/** Which of its versions: "as shipped", "version 3". */
export const versionWords = ({ number, isShipped }: Pick<Profile, 'number' | 'isShipped'>): string =>
  number === 0 || (isShipped && number === 1) ? 'as shipped' : `version ${number}`
