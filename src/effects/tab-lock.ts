/** Lets one window of this browser at a time do something; the others wait for it. */
export type TabLock = {
  /** whether other windows are really kept out: a page on plain http has no such locks */
  isShared: boolean
  /** @throws what `work` throws, or the signal's reason while it waits */
  hold<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** `locks`: `navigator.locks`, missing outside of secure contexts. */
export function createTabLock(locks: Pick<LockManager, 'request'> | undefined): TabLock {
  if (locks === undefined) return { isShared: false, hold: (_name, _signal, work) => work() }
  return {
    isShared: true,
    hold: (name, signal, work) => locks.request(name, { signal }, work),
  }
}
