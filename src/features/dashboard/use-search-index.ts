import { useMemo } from 'react'
import type { Fleet } from '../../read-model/fleet.ts'
import { createSearchIndex, type SearchIndex } from '../../read-model/search-index.ts'
import { useBuilt } from './use-built.ts'

/** The fleet's names to search in, built while the page has nothing else to do, so that the first key finds it ready. */
export function useSearchIndex(fleet: Fleet): SearchIndex {
  const { structure } = fleet
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are other ones when the structure is
  const index = useMemo(() => createSearchIndex(fleet.names), [fleet, structure])
  useBuilt(index.build)
  return index
}
