import { createStore, useStore } from './store.ts'
import { useRoot } from './use-root.ts'

const NOW = createStore(undefined)

/** Which time that is past one looks back to, in any words, others with each other minute; undefined: now. */
export function useThen(): string | undefined {
  const live = useStore(useRoot().live)
  return useStore(live?.desk.time ?? NOW)
}
