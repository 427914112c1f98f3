import { useEffect, useMemo } from 'react'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import type { Addressed } from '../../layout/use-address.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { filterOf, keepFilter, type Page } from './kept-filter.ts'
import { filterRequested, type Requested, requestedBy, violationsAddress } from './violations-address.ts'

export type RequestedHere = {
  /** what is asked for at first */
  first: ValidFilter
  /** says in the address what was asked for since, and keeps it for the session */
  note: (filter: ValidFilter) => void
}

/** What a page asks for at first: what its address says, else what was last asked for on it, else the last day. */
export function useRequested(page: Page, { state, write }: Addressed<Requested>): RequestedHere {
  const { clock } = useRoot()
  const fleet = useFleetItself()
  const { groupId } = useSignedIn().user
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  const { first, isAddressed } = useMemo(() => {
    const kept = filterOf<ValidFilter>(fleet, page)
    if (kept && violationsAddress.write(state) === '') return { first: kept, isAddressed: false }
    const requested = filterRequested(state, groupId, fleet, clock.now())
    if (state.devices !== 'many') return { first: requested, isAddressed: true }
    // an address does not name so many: it means those that were picked last, all where none are known
    return { first: { ...requested, devices: kept?.devices ?? 'all' }, isAddressed: false }
  }, [fleet, groupId, clock, page])
  useEffect(() => {
    if (!isAddressed) write(requestedBy(first, groupId, fleet), 'replace')
  }, [isAddressed, first, groupId, fleet, write])
  const note = (filter: ValidFilter): void => {
    keepFilter(fleet, page, filter)
    write(requestedBy(filter, groupId, fleet), 'push')
  }
  return { first, note }
}
