import { useEffect } from 'react'

/** A slice takes some milliseconds; between two the page breathes. */
const BREATH_MS = 30

/** Has something built slice by slice while the page has nothing else to do. `build` answers whether there is more to do. */
export function useBuilt(build: () => boolean, breath = BREATH_MS): void {
  useEffect(() => {
    let handle = setTimeout(function next(): void {
      if (build()) handle = setTimeout(next, breath)
    }, breath)
    return () => clearTimeout(handle)
  }, [build, breath])
}
