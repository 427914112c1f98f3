import { boolean, enums, type as open, optional, record, string } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'

export type Theme = 'system' | 'light' | 'dark'
/** How the visitor likes the portal on this device; nothing about them. */
export type Preferences = {
  theme: Theme
  /** what the visitor opened or folded themselves, by name */
  unfolded: Record<string, boolean>
  /** how the device list is laid out, by user id */
  lists?: Record<string, string> | undefined
}

const Stored = open({
  theme: optional(enums(['system', 'light', 'dark'])),
  unfolded: optional(record(string(), boolean())),
  lists: optional(record(string(), string())),
})
const NAME = 'frostline-view'
const YEAR = 365 * 24 * 3600

/**
 * Preferences outlive a logout, which clears local storage (the documents say so, and which keys it holds).
 * So they are a cookie: there at once, before the first paint, and for this site alone.
 */
export function readPreferences(cookies: string): Preferences {
  const text = cookies.match(new RegExp(`(?:^|; )${NAME}=([^;]*)`))?.[1]
  const chosen: Preferences = { theme: 'system', unfolded: {} }
  if (text === undefined) return chosen
  try {
    const kept = decodeJson(decodeURIComponent(text), Stored, NAME)
    const { theme = chosen.theme, unfolded = chosen.unfolded, lists } = kept
    return { theme, unfolded, lists }
  } catch {
    return chosen
  }
}

/** A cookie has little room: the device lists of so many users are kept, those chosen last. */
const MOST_LISTS = 4

/** Keeps each choice for a year. What other tabs chose meanwhile stays. */
export function keepPreferences(page: Pick<Document, 'cookie'>, preferences: Followed): void {
  let before = preferences.get()
  preferences.subscribe(() => {
    const now = preferences.get()
    const kept = readPreferences(page.cookie)
    const chosen = changed(before.lists, now.lists)
    const others = Object.entries(kept.lists ?? {}).filter(([id]) => !(id in chosen))
    const next: Preferences = {
      theme: now.theme === before.theme ? kept.theme : now.theme,
      unfolded: { ...kept.unfolded, ...changed(before.unfolded, now.unfolded) },
      lists: Object.fromEntries([...others, ...Object.entries(chosen)].slice(-MOST_LISTS)),
    }
    before = now
    const value = encodeURIComponent(JSON.stringify(next))
    // the Cookie Store is missing on plain http, where portals in a LAN run
    page.cookie = `${NAME}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Strict`
  })
}
type Followed = { get(): Preferences; subscribe(listener: () => void): void }

/** The entries that are other than before. */
const changed = <V>(before: Record<string, V> = {}, now: Record<string, V> = {}): Record<string, V> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => before[key] !== value))
