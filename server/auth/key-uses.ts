import { loadCheckpoint, saveCheckpoint } from '../store/log-follower.ts'
import type { Store } from '../store/store.ts'
import type { Others } from './attempts.ts'

/** When each key was used last, to the minute. It is no fact, as a key may be used a hundred times a second. */
export type KeyUses = {
  /** `at`: epoch ms on the server's clock */
  note(keyId: string, at: number): void
  /** epoch ms; null: never since this is kept */
  lastOf(keyId: string): number | null
  /** kept beside the log */
  save(): void
  /** follows other nodes no more */
  stop(): void
}

const KEPT = { name: 'key-uses', shape: 1 }
const EVERY_MS = 60_000

/** Kept in a checkpoint of the store, and known to all nodes, as far as they hear of it. */
export function createKeyUses(checkpoints: Store['checkpoints'], others: Others): KeyUses {
  const last = loadCheckpoint<{ last: Map<string, number> }>(checkpoints, KEPT)?.last ?? new Map()
  let isSaved = true
  function used(keyId: string, at: number): boolean {
    if (at - (last.get(keyId) ?? -EVERY_MS) < EVERY_MS) return false
    last.set(keyId, at)
    isSaved = false
    return true
  }
  const stop = others.onMessage((message) => {
    const [keyId, at] = Array.isArray(message) ? message : []
    if (typeof keyId === 'string' && Number.isFinite(at)) used(keyId, at)
  })
  return {
    note(keyId, at) {
      if (used(keyId, at)) others.publish([keyId, at])
    },
    lastOf: (keyId) => last.get(keyId) ?? null,
    save() {
      if (isSaved) return
      isSaved = saveCheckpoint(checkpoints, KEPT, { last })
    },
    stop,
  }
}
