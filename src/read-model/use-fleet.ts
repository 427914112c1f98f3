import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from 'react'
import type { Fleet } from './fleet.ts'

export const FleetContext = createContext<Fleet | null>(null)

/** @throws Error outside a `FleetContext` */
export function useFleetItself(): Fleet {
  const fleet = useContext(FleetContext)
  if (fleet === null) throw new Error('no fleet here: wrap the page in FleetContext')
  return fleet
}

/**
 * What a component needs of the fleet, looked at again at most once a frame of the screen.
 * @param select defined outside the component or kept with `useCallback`
 * @param isSame whether what was selected is still the same, so that the component need not render
 */
export function useFleet<T>(select: (fleet: Fleet) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
  const fleet = useFleetItself()
  const last = useRef<{ fleet: Fleet; version: number; select: (fleet: Fleet) => T; value: T } | null>(null)
  const look = useCallback((): T => {
    const known = last.current
    if (known?.fleet === fleet && known.version === fleet.version && known.select === select)
      return known.value
    const selected = select(fleet)
    const value = known?.fleet === fleet && isSame(known.value, selected) ? known.value : selected
    last.current = { fleet, version: fleet.version, select, value }
    return value
  }, [fleet, select, isSame])
  const subscribe = useCallback((listener: () => void) => onceAFrame(fleet, listener), [fleet])
  return useSyncExternalStore(subscribe, look)
}

function onceAFrame(fleet: Fleet, listener: () => void): () => void {
  let isRequested = false
  let isOver = false
  const unsubscribe = fleet.subscribe(() => {
    if (isRequested) return
    isRequested = true
    fleet.nextFrame(() => {
      isRequested = false
      if (!isOver) listener()
    })
  })
  return () => {
    isOver = true
    unsubscribe()
  }
}
