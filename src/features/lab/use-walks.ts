import { useEffect, useState } from 'react'
import { MACHINES, type Walked, walked } from './models.ts'

/** Every machine as it is walked: the chosen one first, the others one after the other. */
export function useWalks(chosen: string | undefined): ReadonlyMap<string, Walked> {
  const [walks, setWalks] = useState<ReadonlyMap<string, Walked>>(new Map())
  useEffect(() => {
    let isShown = true
    async function walkAll(): Promise<void> {
      const names = MACHINES.toSorted((a, b) => Number(b === chosen) - Number(a === chosen))
      for (const name of names) {
        const one = await walked(name)
        if (!isShown) return
        setWalks((before) => (before.get(name) === one ? before : new Map(before).set(name, one)))
        // between two of them the page can be used
        await new Promise((next) => setTimeout(next))
      }
    }
    void walkAll()
    return () => {
      isShown = false
    }
  }, [chosen])
  return walks
}
