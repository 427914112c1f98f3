import { type Infer, nullable, number, record, string, type } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'

/**
 * When somebody was last active in the portal on this device: `at` by the server's clock, `wall` by the device's own, epoch ms;
 * `left`: when the visit before this one ended, by the server's clock, null once they have seen what happened since.
 */
const Visit = type({ at: number(), wall: number(), left: nullable(number()) })
export type Visit = Infer<typeof Visit>

/** Without a key or a press for so long somebody has left, ms. */
const AWAY = 30 * 60_000
const NAME = 'frostline-visits'
/** People who share a device. */
const MOST = 8
const DAYS_31 = 31 * 24 * 3600

/** The visit after a sign of life, `before` undefined: the first on this device. */
export function visited(before: Visit | undefined, now: Pick<Visit, 'at' | 'wall'>): Visit {
  if (before === undefined) return { ...now, left: null }
  const wasAway = now.wall - before.wall >= AWAY && before.at < now.at
  return { ...now, left: wasAway ? before.at : before.left }
}

const Visits = record(string(), Visit)

/** By user; kept as preferences are, and outlives a logout as they do. */
export function readVisits(cookies: string): Record<string, Visit> {
  const text = cookies.match(new RegExp(`(?:^|; )${NAME}=([^;]*)`))?.[1]
  if (text === undefined) return {}
  try {
    return decodeJson(decodeURIComponent(text), Visits, NAME)
  } catch {
    return {}
  }
}

/** Keeps one beside those of the others who were here last, for as long as one may ask what happened since. */
export function keepVisit(userId: string, visit: Visit): void {
  const others = Object.entries(readVisits(document.cookie))
    .filter(([id]) => id !== userId)
    .sort(([, a], [, b]) => b.wall - a.wall)
    .slice(0, MOST - 1)
  const value = encodeURIComponent(JSON.stringify(Object.fromEntries([[userId, visit], ...others])))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on plain http, where portals in a LAN run
  document.cookie = `${NAME}=${value}; Path=/; Max-Age=${DAYS_31}; SameSite=Strict`
}
