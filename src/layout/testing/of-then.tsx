import { type ReactNode, useMemo } from 'react'
import type { Live } from '../../actors/root.ts'
import { createStore, type Store } from '../../actors/store.ts'
import { RootContext, useRoot } from '../../actors/use-root.ts'

/** What is in it looks back: `time` says to when, in any words; `now`: its clock. */
export function OfThen({
  time,
  now,
  children,
}: {
  time: Store<string>
  now?: () => number
  children: ReactNode
}) {
  const root = useRoot()
  const ofThen = useMemo(() => {
    const live = root.live.get() as Live
    const desk = { ...live.desk, time }
    return {
      ...root,
      clock: { ...root.clock, ...(now && { now }) },
      live: createStore<Live | undefined>({ ...live, desk }),
    }
  }, [root, time, now])
  return <RootContext value={ofThen}>{children}</RootContext>
}
