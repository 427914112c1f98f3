import { useEffect, useMemo, useState } from 'react'
import type { DashboardFilters } from '#machines/dashboard/dashboard.machine.ts'
import type { FleetCounts } from '../../read-model/counts.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { createFleetView } from '../../read-model/fleet-view.ts'
import type { SearchIndex } from '../../read-model/search-index.ts'
import type { ListSort } from '../../read-model/sort-keys.ts'
import type { RowSorter } from '../../read-model/sorted-rows.ts'
import { maskWithin, passes, selectionOf } from './shown-fleet.ts'
import { useSettledVersion } from './use-settled.ts'

/** A list sorted by values is put in order this often, ms. */
const IN_ORDER_MS = 5000

/** What the dashboard shows of the fleet. `counts` are of what is picked and searched for, whatever the status. */
export type ShownFleet = {
  isLoading: boolean
  mask: Uint8Array | undefined
  /** 1 where groups, devices and search let a row through; undefined: everywhere */
  scope: Uint8Array | undefined
  /** worst first, or the best match of the search */
  rows: Uint32Array
  counts: FleetCounts
}

/** @param sort null: worst first, or the best match of what is searched for */
export function useShownFleet(
  fleet: Fleet,
  search: SearchIndex,
  filters: DashboardFilters,
  sort: ListSort | null,
): ShownFleet {
  const { groups, devices, status, words } = filters
  const version = useSettledVersion(fleet)
  const view = useMemo(() => createFleetView(fleet), [fleet])
  const selection = useMemo(
    () => selectionOf({ groups, devices, words }, search),
    [groups, devices, words, search],
  )
  const scope = view.mask(selection)
  const sorted = useSortedRows(fleet, sort)
  const ranked = sorted === undefined ? view.rows(selection) : sorted
  const ordered = useMemo(
    () => (sorted === undefined || scope === undefined ? ranked : ranked.filter((row) => scope[row] === 1)),
    [sorted, ranked, scope],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns behind the fleet change with its version
  const [mask, rows] = useMemo(
    () => [
      maskWithin(fleet, scope, status),
      status === 'all'
        ? ordered
        : ordered.filter((row) => passes(status, fleet.columns.state[row] as number)),
    ],
    [fleet, scope, ordered, status, status === 'all' ? 0 : version],
  )
  return {
    isLoading: fleet.seq === undefined,
    scope,
    mask,
    rows,
    counts: view.counts(selection),
  }
}

/** All rows in the order of a column; undefined: none is asked for, or what sorts is on its way. */
function useSortedRows(fleet: Fleet, sort: ListSort | null): Uint32Array | undefined {
  const [sorter, setSorter] = useState<{ of: Fleet; rows: RowSorter['rows'] }>()
  const isNeeded = sort !== null && sorter?.of !== fleet
  useEffect(() => {
    if (!isNeeded) return
    // what does not come leaves the worst first: the next choice asks again
    import('../../read-model/sorted-rows.ts').then(
      ({ sorterOf }) => setSorter({ of: fleet, rows: sorterOf(fleet).rows }),
      () => {},
    )
  }, [fleet, isNeeded])
  // values change all the time: rows are put in order anew each few seconds
  const moment = Math.floor(performance.now() / IN_ORDER_MS)
  const { structure } = fleet
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(
    () => (sort === null || isNeeded ? undefined : sorter?.rows(sort)),
    [sorter, isNeeded, sort, moment, structure],
  )
}
