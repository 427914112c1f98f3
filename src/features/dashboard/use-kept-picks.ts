import { useEffect, useState } from 'react'
import { enums, nullable, object, string } from 'superstruct'
import type { DashboardActor } from '../../actors/dashboard-actor.ts'
import { KeptPicks, useDraft } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { show } from './use-dashboard-address.ts'

const NAME = 'picks'
const Picks = object({
  groups: KeptPicks,
  devices: KeptPicks,
  status: enums(['all', 'online', 'offline', 'disconnected', 'trouble']),
  words: string(),
  selected: nullable(string()),
})

/** Filters, search and selection stand again where the page had to go for want of an answer, as soon as there is a fleet. */
export function useKeptPicks(dashboard: DashboardActor, isLoading: boolean): void {
  const { drafts } = useRoot()
  const [kept] = useState(() => drafts.kept(NAME, Picks))
  useDraft(NAME, () => {
    const { groups, devices, status, words, selected } = dashboard.getSnapshot().context
    return { groups, devices, status, words, selected }
  })
  useEffect(() => {
    if (isLoading || kept === undefined) return
    show(dashboard, kept)
  }, [isLoading, kept, dashboard])
}
