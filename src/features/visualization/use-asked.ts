import { useEffect, useMemo } from 'react'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import type { Addressed } from '../../layout/use-address.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { filterOf, keepFilter, type Page } from './kept-filter.ts'
import { type Asked, askedBy, filterAsked, violationsAddress } from './violations-address.ts'

export type AskedHere = {
  /** what is asked for at first */
  first: ValidFilter
  /** says in the address what was asked for since, and keeps it for the session */
  note: (filter: ValidFilter) => void
}

/** What a page asks for at first: what its address says, else what was last asked for on it, else the last day. */
export function useAsked(page: Page, { state, write }: Addressed<Asked>): AskedHere {
  const { clock } = useRoot()
  const fleet = useFleetItself()
  const { groupId } = useSignedIn().user
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  const { first, isAddressed } = useMemo(() => {
    const kept = filterOf<ValidFilter>(fleet, page)
    if (kept && violationsAddress.write(state) === '') return { first: kept, isAddressed: false }
    const asked = filterAsked(state, groupId, fleet, clock.now())
    if (state.devices !== 'many') return { first: asked, isAddressed: true }
    // an address does not name so many: it means those that were picked last, all where none are known
    return { first: { ...asked, devices: kept?.devices ?? 'all' }, isAddressed: false }
  }, [fleet, groupId, clock, page])
  useEffect(() => {
    if (!isAddressed) write(askedBy(first, groupId, fleet), 'replace')
  }, [isAddressed, first, groupId, fleet, write])
  const note = (filter: ValidFilter): void => {
    keepFilter(fleet, page, filter)
    write(askedBy(filter, groupId, fleet), 'push')
  }
  return { first, note }
}
