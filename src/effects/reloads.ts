const KEY = 'reloaded'
const APART_MS = 60_000

/**
 * Whether a page may be loaded anew by itself, and notes that it is: not where that was done within the last minute, as
 * it did not help then, nor where it cannot be noted.
 * @param now epoch ms
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, page: string, now: number): boolean {
  const [last, at] = (storage.getItem(KEY) ?? '').split(' ')
  if (last === page && now - Number(at) < APART_MS) return false
  try {
    storage.setItem(KEY, `${page} ${now}`)
    return true
  } catch {
    return false
  }
}
