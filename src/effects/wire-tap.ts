/** What goes over a socket, or becomes of it. Nothing is left out: tokens that are sent are in it. */
export type WireEvent =
  | { wire: 'live'; way: 'in' | 'out'; data: unknown }
  /** an event of Socket.IO */
  | { wire: 'notifications'; way: 'in' | 'out'; name: string; data: unknown }
  | { wire: 'live' | 'notifications'; isOpen: boolean; reason: string }
  /** the fleet as it was fetched (fleet-snapshot.ts): what frames of `live` build upon */
  | { wire: 'fleet'; bytes: ArrayBuffer }
export type Hear = (event: WireEvent) => void

export type WireTap = {
  hear: Hear
  /** Called with all that goes over the sockets from now on; answers how to stop. */
  follow(listener: Hear): () => void
}

/** Looks at what sockets carry without touching it. */
export function createWireTap(): WireTap {
  const listeners = new Set<Hear>()
  return {
    hear(event) {
      for (const listener of listeners) listener(event)
    },
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The one of this page. */
export const wires = createWireTap()
