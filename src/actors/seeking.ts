import type { Look, Shown } from '#machines/time-machine/time-machine.machine.ts'

/** So many are asked for at once: the server works on one while the other is drawn. */
const AT_ONCE = 2

export type Seeking = {
  /** Resolves when it is shown; never where another is wanted before it was asked for. @param signal nobody waits for it any more */
  seek(look: Look, signal: AbortSignal): Promise<Shown>
  /** Nothing is wanted any more. */
  stop(): void
}

type OnTheWay = { look: Look; stopped: AbortController }

/**
 * Shows what is wanted, of many one after the other the newest, however fast they come: what is on its way already is shown on the
 * way there, what was not asked for yet when a newer one is wanted never is.
 * @param askFor resolves with what shows it
 * @param onPassed it was shown while a newer one is wanted
 */
export function createSeeking(
  askFor: (look: Look, signal: AbortSignal) => Promise<() => Shown>,
  onPassed: (shown: Shown) => void,
): Seeking {
  const onTheWay = new Set<OnTheWay>()
  let waiting: (() => void) | undefined
  let wanted = 0
  let shownLast = 0

  async function ask(look: Look, turn: number, signal: AbortSignal): Promise<Shown> {
    const own = { look, stopped: new AbortController() }
    onTheWay.add(own)
    try {
      const show = await askFor(look, own.stopped.signal)
      // a newer one was quicker, or nothing is wanted any more
      if (turn < shownLast || own.stopped.signal.aborted) return { shown: look.at }
      shownLast = turn
      const shown = show()
      if (signal.aborted) onPassed(shown)
      return shown
    } finally {
      onTheWay.delete(own)
      const next = waiting
      waiting = undefined
      next?.()
    }
  }

  return {
    seek(look, signal) {
      const turn = ++wanted
      for (const each of onTheWay) if (!isAlike(each.look, look)) each.stopped.abort()
      if (onTheWay.size < AT_ONCE) return ask(look, turn, signal)
      return new Promise((resolve, reject) => {
        waiting = () => void ask(look, turn, signal).then(resolve, reject)
      })
    },
    stop() {
      waiting = undefined
      for (const { stopped } of onTheWay) stopped.abort()
    },
  }
}

/** Another time of the same view. */
const isAlike = (a: Look, b: Look): boolean =>
  a.view === b.view && a.isDifferencesOnly === b.isDifferencesOnly
