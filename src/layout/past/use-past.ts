import { useEffect } from 'react'
import type { Live, TimeMachine } from '../../actors/root.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useAddress } from '../use-address.ts'
import { pastAddress } from './past-address.ts'

const NOW = createStore<TimeMachine | undefined>(undefined)

/** Where the portal stands; undefined: now. Whoever comes by an address that names a time that is past is taken there. */
export function usePast(live: Live | undefined): TimeMachine | undefined {
  const { state, visit } = useAddress(pastAddress)
  const { asOf, view } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: each visit is one, and what is written is none
  useEffect(() => {
    if (live !== undefined && asOf !== null) void live.lookBack(asOf, view)
  }, [live, visit])
  return useStore(live?.past ?? NOW)
}
