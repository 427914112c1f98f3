import type { Fleet } from './fleet.ts'
import { createSearchIndex, type Found } from './search-index.ts'

export type FleetSearch = {
  /**
   * Rows whose imei, name or plate number hold the query, at most `limit`; those that begin with it first.
   * @param mask 1 for rows that may be found; all where left out
   */
  find(query: string, limit: number, mask?: Uint8Array): Found
  stop(): void
}

/**
 * The search over the fleet as it is now. Its index is made anew when devices or names change, in slices of about
 * a millisecond while the page is idle, so that the first key is answered as quickly as the next.
 * @param whenIdle calls back once when there is nothing better to do
 */
export function createFleetSearch(fleet: Fleet, whenIdle: (work: () => void) => void): FleetSearch {
  let index = createSearchIndex(fleet.names)
  let structure = fleet.structure
  let isBuilding = false
  let isStopped = false

  function refresh(): void {
    if (structure === fleet.structure) return
    structure = fleet.structure
    index = createSearchIndex(fleet.names)
    build()
  }

  function build(): void {
    if (isBuilding) return
    isBuilding = true
    whenIdle(() => {
      isBuilding = false
      if (!isStopped && index.build()) build()
    })
  }

  const unsubscribe = fleet.subscribe(refresh)
  build()
  return {
    find(query, limit, mask) {
      refresh()
      return index.find(query, limit, mask === undefined ? undefined : (row) => mask[row] === 1)
    },
    stop() {
      isStopped = true
      unsubscribe()
    },
  }
}
