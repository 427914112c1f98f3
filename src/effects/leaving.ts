/** Where the visitor is told that there was no answer. */
export const NETWORK_ERROR_PATH = '/error'

/** Asks the visitor whether to leave, and is told how to go on. */
export type AskToLeave = (go: () => void) => void

/** Who keeps the visitor on the page, in the order they began to. */
const guards = new Set<AskToLeave>()
let isConfirmed = false
/** the page goes, and what was typed is kept: there is nothing to ask */
let isLoadedAnew = false
/** what a way in history that the visitor was asked about is marked by */
const CONFIRMED = Symbol('asked')

/**
 * Keeps the visitor on the page until they have been asked: links, the portal's own ways and Back are held up, and `ask`
 * is told how to go on with them. One question is for the whole page, however many keep the visitor there. Closing the
 * window or loading the page anew, the browser asks about itself. Browsers without the Navigation API ask about these
 * alone.
 * @returns how to stop
 */
export function guardLeaving(window: Window & typeof globalThis, ask: AskToLeave): () => void {
  const { history, location } = window
  const navigation: Navigation | undefined = window.navigation

  function onNavigate(event: NavigateEvent): void {
    const { navigationType, destination, cancelable, defaultPrevented, info } = event
    // held up already: who did it asks
    if (!cancelable || defaultPrevented || !destination.sameDocument || isConfirmed || info === CONFIRMED)
      return
    const to = new URL(destination.url).pathname
    // Where there was no answer nobody leaves: what was typed is kept.
    if (to === location.pathname || to === NETWORK_ERROR_PATH) return
    event.preventDefault()
    ask(() => {
      if (navigationType === 'traverse') navigation?.traverseTo(destination.key, { info: CONFIRMED })
      else
        leaveConfirmed(() => {
          if (navigationType === 'replace') history.replaceState(null, '', destination.url)
          else history.pushState(null, '', destination.url)
        })
    })
  }
  function onUnload(event: BeforeUnloadEvent): void {
    if (!isLoadedAnew) event.preventDefault()
  }

  guards.add(ask)
  navigation?.addEventListener('navigate', onNavigate)
  window.addEventListener('beforeunload', onUnload)
  return () => {
    guards.delete(ask)
    navigation?.removeEventListener('navigate', onNavigate)
    window.removeEventListener('beforeunload', onUnload)
  }
}

/** Goes where the visitor was asked about: nobody asks again. `go` must lead there before it returns. */
export function leaveConfirmed(go: () => void): void {
  isConfirmed = true
  try {
    go()
  } finally {
    isConfirmed = false
  }
}

/** Loads the page anew, and the browser asks nobody: what was typed is kept, or is known to be lost. */
export function loadAnew({ location }: Pick<Window, 'location'>): void {
  isLoadedAnew = true
  location.reload()
}

/** Goes as soon as whoever keeps the visitor on the page has asked, at once where nobody does. */
export function leaveOnceConfirmed(go: () => void): void {
  const [first] = guards
  if (first) first(go)
  else go()
}

/**
 * Whether the page is on its way out, to another one or anew: what it asked for then is broken off by the browser, which
 * says no more of it than of a server that does not answer.
 */
export function watchLeft(window: Pick<Window, 'addEventListener'>): () => boolean {
  let isLeft = false
  window.addEventListener('pagehide', () => {
    isLeft = true
  })
  window.addEventListener('pageshow', () => {
    isLeft = false
  })
  return () => isLeft
}
