/** Tells when the visitor looks at this window again: it gets the focus, or is shown after it was hidden. */
export function onReturn(window: Window, page: Document, listener: () => void): void {
  window.addEventListener('focus', listener)
  page.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'visible') listener()
  })
}
