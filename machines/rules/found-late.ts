import type { Fact } from '../contracts/facts.ts'
import { counted } from './figures.ts'
import { writtenTime } from './written-time.ts'

/**
 * A violation that was found late: since when it was out, until when (null: it lasts), when the last reading that tells of it
 * was received, and how many of them came late (null: not counted). Epoch ms.
 */
export type FoundLate = {
  since: number
  clearedAt: number | null
  receivedTo: number
  readingsLate: number | null
}

/** Whether a fact says that a violation was found late, and what; undefined where it does not. */
export function foundLateOf(fact: Fact): FoundLate | undefined {
  if (fact.type === 'violation.found-late') {
    const { since, clearedAt, receivedTo, readingsLate } = fact.data
    return { since, clearedAt, receivedTo, readingsLate }
  }
  if (fact.type !== 'violation.opened' || fact.data.receivedAt === undefined) return undefined
  const { since, receivedAt } = fact.data
  return { since, clearedAt: null, receivedTo: receivedAt, readingsLate: null }
}

/**
 * «Found late: out 11:10–11:45, known since 14:02 (7 readings, up to 2 h 52 min late)», in a time zone (IANA): later times with
 * their day where it is not that on which it began.
 */
export function foundLateText(
  { since, clearedAt, receivedTo, readingsLate }: FoundLate,
  timeZone: string,
): string {
  const [day = '', began] = writtenTime(since, timeZone).split(' ')
  const written = (at: number): string => writtenTime(at, timeZone).replace(`${day} `, '')
  const out = clearedAt === null ? `since ${began}` : `${began}–${written(clearedAt)}`
  const readings = readingsLate === null || readingsLate === 0 ? '' : `${counted(readingsLate, 'reading')}, `
  return `Found late: out ${out}, known since ${written(receivedTo)} (${readings}up to ${lengthWords(receivedTo - since)} late)`
}

/** «2 h 52 min», «45 min», «3 h»; ms in whole minutes. */
export function lengthWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  const parts = [hours > 0 ? `${hours} h` : '', minutes % 60 > 0 || hours === 0 ? `${minutes % 60} min` : '']
  return parts.filter((part) => part !== '').join(' ')
}
