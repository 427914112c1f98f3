/**
 * The promise, or nothing ever once whoever asked has stopped. React's strict mode stops an actor and starts it again at
 * once; that the first asking was called off would else be taken for the second one's failure.
 */
export function unlessStopped<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    if (signal.aborted) return new Promise<T>(() => {})
    throw error
  })
}
