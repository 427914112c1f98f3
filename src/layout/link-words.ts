import type { LinkStatus } from '../actors/link-status.ts'
import { clockTime, relativeTime } from '../format/time.ts'

/** Data older than this is no longer called live without saying how old it is, ms. */
const FRESH = 15_000

/** What the indicator says. `now`: epoch ms by the server's clock. */
export function wordsOf({ state, since, dataAt, hindrance }: LinkStatus, now: number): string {
  const why = hindrance === undefined ? '' : HINDERED[hindrance]
  if (state === 'offline') return `${since === null ? 'offline' : `offline since ${clockTime(since)}`}${why}`
  if (state === 'catching-up') return `catching up${why}`
  if (dataAt !== null && now - dataAt > FRESH) return `live, data ${relativeTime(dataAt, now)}`
  return 'live'
}

const HINDERED = {
  'no-network': ', no network',
  trying: ', trying',
  waiting: '',
  crowded: ', too many windows of yours are open',
  'no-answer': ', no answer yet',
  outdated: ', there is a new version',
}

/** Whether it is of use to try again now. */
export const canRetry = ({ hindrance }: LinkStatus): boolean =>
  hindrance !== undefined && hindrance !== 'no-network' && hindrance !== 'outdated'

/** How old the data is, for whoever asks. */
export function ageOf({ dataAt }: LinkStatus, now: number): string {
  return dataAt === null ? 'No data yet' : `Newest data: ${relativeTime(dataAt, now)}`
}
