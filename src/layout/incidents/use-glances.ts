import { useEffect, useMemo, useReducer } from 'react'
import type { Glance } from '#machines/contracts/entities/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'

/** A glance is looked at anew after this time; and rows that rush by are not asked for, ms. */
const FRESH_MS = 60_000
const SETTLE_MS = 150
/** The server answers no more at once. */
const MOST = 40
/** Glances that are kept. */
const KEPT = 400

const NOTHING = createStore(undefined)

type Kept = { glance: Glance; at: number }

/** Places and last hours of the devices in sight: asked for once they stay there, and again each minute. */
export function useGlances(
  desk: Desk | undefined,
  imeis: readonly string[],
): (imei: string) => Glance | undefined {
  const time = useStore(desk?.time ?? NOTHING)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another time they are others
  const known = useMemo(() => new Map<string, Kept>(), [time])
  const [round, again] = useReducer((count: number) => count + 1, 0)
  const wanted = imeis.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a round asks again for what is old by then
  useEffect(() => {
    const asking = new AbortController()
    const ask = async (): Promise<void> => {
      const now = performance.now()
      const missing = wanted
        .split(',')
        .filter((imei) => imei !== '' && now - (known.get(imei)?.at ?? -FRESH_MS) >= FRESH_MS)
      if (missing.length === 0 || desk === undefined) return
      // a row without its line says all the same
      const glances = await desk.glances(missing.slice(0, MOST), asking.signal).catch(() => [])
      if (known.size > KEPT) known.clear()
      for (const glance of glances) known.set(glance.imei, { glance, at: now })
      if (glances.length > 0) again()
    }
    const settling = setTimeout(() => void ask(), SETTLE_MS)
    const renewing = setTimeout(again, FRESH_MS)
    return () => {
      asking.abort()
      clearTimeout(settling)
      clearTimeout(renewing)
    }
  }, [desk, wanted, round, known])
  return (imei) => known.get(imei)?.glance
}

/** Where a device is, in words; undefined until that is known. */
export function usePlaceOf(imei: string): string | undefined {
  const desk = useStore(useRoot().live ?? NOTHING)?.desk
  return useGlances(desk, [imei])(imei)?.place
}
