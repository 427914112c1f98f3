import { useEffect } from 'react'
import type { Live, TimeMachine } from '../../actors/root.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { shellAddress } from '../shell-address.ts'
import { useAddress } from '../use-address.ts'

const NOW = createStore<TimeMachine | undefined>(undefined)

/**
 * Where the portal stands, `past` undefined: now, and whether on a wall. Whoever comes by an address that names a time that is past
 * is taken there.
 */
export function usePast(live: Live | undefined) {
  const { state, visit, write } = useAddress(shellAddress)
  const { asOf, view, isWall } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit is one, and what is written is none
  useEffect(() => {
    if (live === undefined || asOf === null) return
    const there = live.past.get()?.actor.getSnapshot().context
    // the address that says where one stands already leads nowhere: whoever leaves at that moment is to be let go
    if (there?.at === asOf && there.view === view) return
    let isHere = true
    void live.lookBack(asOf, view, () => isHere)
    return () => {
      isHere = false
    }
  }, [live, visit])
  return { past: useStore(live?.past ?? NOW), isWall, leaveWall: () => write({ isWall: false }, 'replace') }
}
