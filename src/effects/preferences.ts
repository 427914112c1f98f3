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

/** Keeps them for a year. */
export function keepPreferences(preferences: Preferences): void {
  const value = encodeURIComponent(JSON.stringify(preferences))
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing on plain http, where portals in a LAN run
  document.cookie = `${NAME}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Strict`
}
