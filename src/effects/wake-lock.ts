/** Keeps the screen on while the page is looked at, where the browser can; answers how to stop. */
export function keepAwake(): () => void {
  const kept = new AbortController()
  const hold = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    // a browser that cannot, or may not now, leaves it to the system
    const lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
    if (kept.signal.aborted) void lock?.release()
    else kept.signal.addEventListener('abort', () => void lock?.release())
  }
  void hold()
  // the browser lets go whenever the page is hidden
  document.addEventListener('visibilitychange', () => void hold(), { signal: kept.signal })
  return () => kept.abort()
}
