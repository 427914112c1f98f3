import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'

/** Whether the link is lost: values are those of then. */
export const useIsStale = (): boolean => useStore(useRoot().link).state === 'offline'
