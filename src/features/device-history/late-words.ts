import type { LateSpan } from '#machines/contracts/entities/devices.ts'
import { lengthWords } from '#machines/rules/found-late.ts'
import { timeOf } from '../../layout/measured/spell-words.ts'

/** «received 14:02, up to 2 h 52 min late»; with its date where it is of another day than `end`, epoch ms. */
export function receivedWords({ receivedTo, upTo }: LateSpan, end: number): string {
  return `received ${timeOf(Date.parse(receivedTo), end)}, up to ${lengthWords(upTo * 1000)} late`
}

/** «11:10–13:45», when it was measured */
export function measuredWords({ from, to }: LateSpan, end: number): string {
  const [first, last] = [timeOf(Date.parse(from), end), timeOf(Date.parse(to), end)]
  return first === last ? first : `${first}–${last}`
}
