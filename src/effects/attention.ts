/** Reports when the visitor looks at this window again: it gets the focus, or is shown after it was hidden. */
export function onReturn(window: Window, page: Document, listener: () => void): void {
  window.addEventListener('focus', listener)
  page.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'visible') listener()
  })
}

/** Reports whether the visitor can see this window: now, and at each change. @returns how to stop listening */
export function followVisibility(page: Document, listener: (isVisible: boolean) => void): () => void {
  const notify = () => listener(page.visibilityState === 'visible')
  page.addEventListener('visibilitychange', notify)
  notify()
  return () => page.removeEventListener('visibilitychange', notify)
}
