import { useEffect } from 'react'
import { createStore, type Store, useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { formatCount } from '../format/numbers.ts'

type Known = { open: readonly unknown[]; moreLost: number } | undefined

const NOTHING_KNOWN = createStore<Known>(undefined)

/** What the window is called: «(3) Dashboard · Frostline», with how many incidents are open where some are. */
export function usePageTitle(title: string): void {
  const { live } = useRoot()
  const known: Pick<Store<Known>, 'get' | 'subscribe'> = useStore(live)?.desk.known ?? NOTHING_KNOWN
  const desk = useStore(known)
  const open = desk === undefined ? 0 : desk.open.length + desk.moreLost
  useEffect(() => {
    document.title = `${open > 0 ? `(${formatCount(open)}) ` : ''}${title} · Frostline`
    return () => {
      document.title = 'Frostline'
    }
  }, [title, open])
}
