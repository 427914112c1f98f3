/** Where the visitor is told that there was no answer. */
export const NETWORK_ERROR_PATH = '/error'

/**
 * Keeps the visitor on the page until they have been asked: links, the portal's own ways and Back are held up, and `ask`
 * is told how to go on with them. Closing the window or loading the page anew, the browser asks about itself. Browsers
 * without the Navigation API ask about these alone.
 * @returns how to stop; do so before going on
 */
export function guardLeaving(window: Window & typeof globalThis, ask: (go: () => void) => void): () => void {
  const { history, location } = window
  const navigation: Navigation | undefined = window.navigation

  function onNavigate(event: NavigateEvent): void {
    const { navigationType, destination, cancelable } = event
    if (!cancelable || !destination.sameDocument) return
    const to = new URL(destination.url).pathname
    // Where there was no answer nobody leaves: what was typed is kept.
    if (to === location.pathname || to === NETWORK_ERROR_PATH) return
    event.preventDefault()
    ask(() => {
      if (navigationType === 'traverse') navigation?.traverseTo(destination.key)
      else if (navigationType === 'replace') history.replaceState(null, '', destination.url)
      else history.pushState(null, '', destination.url)
    })
  }
  const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

  navigation?.addEventListener('navigate', onNavigate)
  window.addEventListener('beforeunload', onUnload)
  return () => {
    navigation?.removeEventListener('navigate', onNavigate)
    window.removeEventListener('beforeunload', onUnload)
  }
}
