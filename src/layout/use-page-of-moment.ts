import { useEffect } from 'react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'

/**
 * Who had to sign in to a world that an address opened comes to the page of that address. It is forgotten when the link
 * is live: until then the session may turn out to be of the world before, and they have to sign in after all.
 */
export function usePageOfMoment(): void {
  const { director, goTo, link } = useRoot()
  const isLive = useStore(link).state === 'live'
  useEffect(() => {
    const { page } = director.get()
    if (page !== undefined && page !== location.pathname + location.search + location.hash) goTo(page)
  }, [director, goTo])
  useEffect(() => {
    const { page, ...rest } = director.get()
    if (isLive && page !== undefined) director.set(rest)
  }, [director, isLive])
}
