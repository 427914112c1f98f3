const PAUSE_MS = 1_000

/**
 * Work that is done again and again until it is stopped: at once while there is more to do, else after a second. One that fails is
 * tried again after a second too; operators are warned why, and once more only when it fails for another reason, or after it went well.
 * @param what for operators: «compaction and retention»
 */
export function everySoOften(
  what: string,
  work: () => Promise<boolean>,
  warn: (message: string) => void,
): { stop(): Promise<void> } {
  let timer: ReturnType<typeof setTimeout>
  let working: Promise<void> = Promise.resolve()
  let isStopped = false
  let failure: string | undefined

  async function once(): Promise<void> {
    let hasMore = false
    try {
      hasMore = await work()
      failure = undefined
    } catch (error) {
      if (failure !== String(error)) warn(`${what} cannot go on, retrying: ${String(error)}`)
      failure = String(error)
    }
    if (!isStopped) next(hasMore ? 1 : PAUSE_MS)
  }
  function next(delay: number): void {
    timer = setTimeout(() => {
      working = once()
    }, delay)
  }
  next(PAUSE_MS)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return working
    },
  }
}
