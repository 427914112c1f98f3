import { useSelector } from '@xstate/react'
import { useDeferredValue, useMemo } from 'react'
import type { DashboardActor } from '../../actors/dashboard-actor.ts'
import { useListLook } from './list/list-look.ts'

export type Requested = ReturnType<typeof useRequested>

/** What the visitor asks of the dashboard. `latest`: with each key; `picked` and `sort`: what is answered by now. */
export function useRequested(dashboard: DashboardActor) {
  const latest = useSelector(dashboard, ({ context }) => context)
  // A key is on the screen at once; what it leaves comes after it.
  const words = useDeferredValue(latest.words)
  const picked = useMemo(() => ({ ...latest, words }), [latest, words])
  const { groups, devices, status } = latest
  const [look, setLook] = useListLook()
  const sort = useDeferredValue(look.sort)
  const question = useMemo(() => ({ groups, devices, status, words }), [groups, devices, status, words])
  return { latest, picked, look, setLook, sort, question }
}
