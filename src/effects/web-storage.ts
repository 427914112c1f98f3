/** Storage that lasts as long as the page; what is kept is its own fields, as of the browser's. */
class PageStorage {
  [key: string]: unknown
  getItem(key: string): string | null {
    return (this[key] as string | undefined) ?? null
  }
  setItem(key: string, value: string): void {
    this[key] = value
  }
  removeItem(key: string): void {
    delete this[key]
  }
  clear(): void {
    for (const key of Object.keys(this)) this.removeItem(key)
  }
}

/** What is used of a browser's storage. */
export type WebStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear'>

/** The browser's storage of this name; where site data is blocked, to read it throws, and there is one for as long as the page lasts. */
export function webStorage(
  window: Pick<Window, 'localStorage' | 'sessionStorage'>,
  name: 'localStorage' | 'sessionStorage',
): WebStorage {
  try {
    return window[name]
  } catch {
    return new PageStorage()
  }
}
