import { useMemo } from 'react'
import type { DashboardActor } from '../../../actors/dashboard-actor.ts'
import { useStore } from '../../../actors/store.ts'
import { useRoot } from '../../../actors/use-root.ts'
import { IncidentDesk } from '../../../layout/incidents/incident-desk.tsx'
import type { Fleet } from '../../../read-model/fleet.ts'
import type { SearchIndex } from '../../../read-model/search-index.ts'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { DeviceList } from '../list/device-list.tsx'
import { NoFleet } from '../no-fleet.tsx'
import { shownIn } from '../shown-fleet.ts'
import type { useActions } from '../use-actions.ts'
import type { Requested } from '../use-requested.ts'
import type { ShownFleet } from '../use-shown-fleet.ts'
import { Filters } from './filters.tsx'
import { StatsCard } from './stats-card.tsx'

export type FleetPanelProps = {
  fleet: Fleet
  dashboard: DashboardActor
  requested: Requested
  search: SearchIndex
  shown: ShownFleet
  actions: ReturnType<typeof useActions>
}

/** How many there are, which of them are shown, and these: as incidents, or all as a list. */
export function FleetPanel(props: FleetPanelProps) {
  const { fleet, dashboard, search, shown, actions } = props
  const { latest, picked, look, setLook, sort, question } = props.requested
  const { link, live } = useRoot()
  const { hindrance } = useStore(link)
  const desk = useStore(live)?.desk
  const { isLoading, mask, rows } = shown
  const { structure } = fleet
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are other ones when the structure is
  const isShown = useMemo(() => shownIn(fleet, mask), [fleet, mask, structure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: so are rows
  const order = useMemo(() => ({ question, sort }), [question, sort, structure])
  return (
    <>
      <StatsCard
        counts={shown.counts}
        isLoading={isLoading}
        status={picked.status}
        onPick={actions.pickStatus}
      />
      <Filters
        fleet={fleet}
        structure={structure}
        isLoading={isLoading}
        search={search}
        filters={picked}
        send={dashboard.send}
      />
      {isLoading && hindrance !== undefined ? (
        <NoFleet hindrance={hindrance} onRetry={() => live.get()?.feed.retry()} />
      ) : isLoading || desk === undefined ? (
        <SkeletonRows rows={12} className="px-2" />
      ) : (
        <IncidentDesk
          desk={desk}
          restWord="Devices"
          isShown={isShown}
          selected={picked.selected}
          onPress={actions.select}
          onOpen={actions.open}
          rest={
            <DeviceList
              fleet={fleet}
              desk={desk}
              rows={rows}
              question={order}
              look={look}
              onLook={setLook}
              words={latest.words}
              isAnswered={latest.words === picked.words}
              onWords={(words) => dashboard.send({ type: 'words.type', words })}
              isNarrowed={mask !== undefined}
              selected={picked.selected}
              actions={actions}
              onClear={() => dashboard.send({ type: 'filters.clear' })}
            />
          }
        />
      )}
    </>
  )
}
