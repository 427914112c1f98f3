import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useRouter } from 'wouter'
import type { PageAddress } from '../format/page-address.ts'

/** What becomes of the page before: `push`: Back leads to it, `replace`: it is forgotten. */
export type How = 'push' | 'replace'

export type Addressed<State> = {
  /** what the address says */
  state: State
  /** another number whenever the address became another by Back, a link or a shared address, and not by `write` */
  visit: number
  /** Says in the address what the page shows; the other parts of its query stay. Nothing happens where it says so already. */
  write: (change: Partial<State>, how: How) => void
}

/** The state of a page in the query of its address. The address is the truth: what came by it is shown, whatever was before. */
export function useAddress<State>(address: PageAddress<State>): Addressed<State> {
  const router = useRouter()
  const [path, navigate] = useLocation()
  // wouter's own useSearch decodes once too often: "100%41" would be "100A"
  const search = router.searchHook(router).replace(/^\?/, '')
  const state = useMemo(() => address.read(search), [address, search])
  // parts that are not of this address are another's to follow
  const own = address.write(state)
  const written = useRef<string>(undefined)
  const [seen, setSeen] = useState({ own, visit: 0 })
  if (seen.own !== own) setSeen({ own, visit: seen.visit + (own === written.current ? 0 : 1) })
  useEffect(() => {
    // Back and Forward may lead to the same address again: that is a visit
    if (own === written.current) written.current = undefined
  }, [own])
  const latest = useRef({ path, search, navigate })
  useLayoutEffect(() => {
    latest.current = { path, search, navigate }
  }, [path, search, navigate])
  const write = useCallback(
    (change: Partial<State>, how: How) => {
      const { path, search, navigate } = latest.current
      const before = address.read(search)
      const next = address.write({ ...before, ...change }, search)
      if (next === search) return
      latest.current = { path, search: next, navigate }
      const wanted = address.write({ ...before, ...change })
      if (wanted !== address.write(before)) written.current = wanted
      // the same in other letters is no other page
      const isReplaced = how === 'replace' || address.write(before, search) === next
      navigate(next === '' ? path : `${path}?${next}`, {
        replace: isReplaced,
        state: isReplaced ? history.state : null,
      })
    },
    [address],
  )
  return { state, visit: seen.visit, write }
}

/** One value of the address, to be typed or chosen like a state of the component. */
export function useAddressPart<State, Key extends keyof State>(
  address: PageAddress<State>,
  key: Key,
  how: How,
): [State[Key], (value: State[Key]) => void] {
  const { state, write } = useAddress(address)
  const set = useCallback(
    (value: State[Key]) => write({ [key]: value } as unknown as Partial<State>, how),
    [write, key, how],
  )
  return [state[key], set]
}
