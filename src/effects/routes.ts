/** Calls back with each page that is opened in this window; answers how to stop. */
export function onRoute(window: Window, listener: (path: string) => void): () => void {
  // wouter tells of its own changes by events of these names.
  const names = ['pushState', 'replaceState', 'popstate'] as const
  let last = window.location.pathname
  const notify = () => {
    const { pathname } = window.location
    if (pathname === last) return
    last = pathname
    listener(pathname)
  }
  for (const name of names) window.addEventListener(name, notify)
  return () => {
    for (const name of names) window.removeEventListener(name, notify)
  }
}
