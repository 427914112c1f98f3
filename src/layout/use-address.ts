import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type RouterObject, useLocation, useRouter } from 'wouter'
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

/** The address as it was written last: two parts of a page that write one after the other must not undo each other. */
const written = new WeakMap<RouterObject, { path: string; search: string }>()

/** The state of a page in the query of its address. The address is the truth: what came by it is shown, whatever was before. */
export function useAddress<State>(address: PageAddress<State>): Addressed<State> {
  const router = useRouter()
  const [path, navigate] = useLocation()
  // wouter's own useSearch decodes once too often: "100%41" would be "100A"
  const search = router.searchHook(router).replace(/^\?/, '')
  const state = useMemo(() => address.read(search), [address, search])
  // parts that are not of this address are another's to follow
  const own = address.write(state)
  const ownWritten = useRef<string>(undefined)
  const [seen, setSeen] = useState({ own, visit: 0 })
  if (seen.own !== own) setSeen({ own, visit: seen.visit + (own === ownWritten.current ? 0 : 1) })
  useEffect(() => {
    // Back and Forward may lead to the same address again: that is a visit
    if (own === ownWritten.current) ownWritten.current = undefined
  }, [own])
  const go = useRef(navigate)
  useLayoutEffect(() => {
    go.current = navigate
    written.set(router, { path, search })
  }, [router, path, search, navigate])
  const write = useCallback(
    (change: Partial<State>, how: How) => {
      const { path, search } = written.get(router) ?? { path: '', search: '' }
      const before = address.read(search)
      const next = address.write({ ...before, ...change }, search)
      if (next === search) return
      written.set(router, { path, search: next })
      const wanted = address.write({ ...before, ...change })
      if (wanted !== address.write(before)) ownWritten.current = wanted
      // the same in other letters is no other page
      const isReplaced = how === 'replace' || address.write(before, search) === next
      go.current(next === '' ? path : `${path}?${next}`, {
        replace: isReplaced,
        state: isReplaced ? history.state : null,
      })
    },
    [address, router],
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
