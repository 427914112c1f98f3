import { useEffect, useMemo } from 'react'
import type { Fleet } from '../../read-model/fleet.ts'
import { createSearchIndex, type SearchIndex } from '../../read-model/search-index.ts'

/** The fleet's names to search in, built while the page has nothing else to do, so that the first key finds it ready. */
export function useSearchIndex(fleet: Fleet): SearchIndex {
  const { structure } = fleet
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are other ones when the structure is
  const index = useMemo(() => createSearchIndex(fleet.names), [fleet, structure])
  useEffect(() => {
    let handle = whenIdle(function build(): void {
      if (index.build()) handle = whenIdle(build)
    })
    return () => clearTimeout(handle)
  }, [index])
  return index
}

/** A slice takes a millisecond or so; between two the page breathes. */
const BREATH_MS = 30
const whenIdle = (work: () => void): ReturnType<typeof setTimeout> => setTimeout(work, BREATH_MS)
