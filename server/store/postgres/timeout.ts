/** What arrived while this process was busy is read within this many ms. */
const GRACE = 50

/**
 * Calls `onTimeout` when so many ms are over, unless what it answers was called before. An answer that waits to be read comes first:
 * a process that was busy for seconds is no server that is silent.
 */
export function startTimeout(ms: number, onTimeout: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(onTimeout, GRACE)
  }, ms)
  return () => clearTimeout(timer)
}
