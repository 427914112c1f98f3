import { type ClusterBox, type Clusters, clusterFleet } from './clusters.ts'
import type { FleetCounts } from './counts.ts'
import type { Fleet } from './fleet.ts'
import { isSame } from './is-same.ts'
import { countsWithin, maskOf, type Selection, worstFirst } from './selection.ts'

/**
 * The fleet as one screen sees it: narrowed down, counted, ordered and clustered. Each is computed when somebody asks
 * and what it rests on has changed, and is the same object until then.
 */
export type FleetView = {
  /** 1 for each row of the selection; undefined when that is all */
  mask(selection: Selection): Uint8Array | undefined
  /** rows, the best match of a search first, else worst first; ordered anew when a device became better or worse */
  rows(selection: Selection): Uint32Array
  counts(selection: Selection): FleetCounts
  clusters(selection: Selection, box: ClusterBox): Clusters
}

/** @param fleet the fleet looked at; selections are compared by identity, so keep them */
export function createFleetView(fleet: Fleet): FleetView {
  const mask = remembering((selection: Selection) => maskOf(fleet, selection))
  const rows = remembering((selection: Selection) => {
    const within = view.mask(selection)
    return selection.found?.filter((row) => within?.[row] === 1) ?? worstFirst(fleet, within)
  })
  const counts = remembering((selection: Selection) => countsWithin(fleet, view.mask(selection)), isSame)
  const clusters = remembering((selection: Selection, box: ClusterBox) =>
    clusterFleet(fleet, box, view.mask(selection)),
  )
  const view: FleetView = {
    mask: (selection) => mask([fleet.structure, selection], selection),
    rows: (selection) => rows([fleet.order, fleet.structure, selection], selection),
    counts: (selection) => counts([fleet.version, selection], selection),
    clusters: (selection, box) => clusters([fleet.version, selection, box.key], selection, box),
  }
  return view
}

/** Remembers the last result for as long as the keys are the same. */
function remembering<A extends unknown[], T>(
  compute: (...args: A) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): (keys: unknown[], ...args: A) => T {
  let last: { keys: unknown[]; value: T } | undefined
  return (keys, ...args) => {
    if (last?.keys.every((key, i) => key === keys[i])) return last.value
    const computed = compute(...args)
    last = { keys, value: last !== undefined && isSame(last.value, computed) ? last.value : computed }
    return last.value
  }
}
