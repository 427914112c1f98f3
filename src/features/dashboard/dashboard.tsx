import { useSelector } from '@xstate/react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { nullable, string } from 'superstruct'
import type { StatusFilter } from '#machines/dashboard/dashboard.machine.ts'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { IncidentDesk } from '../../layout/incidents/incident-desk.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { FullPage } from '../../layout/page.tsx'
import { useWhenNow } from '../../layout/past/past-context.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { deviceAt, historyPath } from './device.ts'
import { DeviceList } from './list/device-list.tsx'
import { useListLook } from './list/list-look.ts'
import { FleetMap } from './map/fleet-map.tsx'
import { MapControls } from './map-controls.tsx'
import { NoFleet } from './no-fleet.tsx'
import { Filters } from './panel/filters.tsx'
import { SidePanel } from './panel/side-panel.tsx'
import { StatsCard } from './panel/stats-card.tsx'
import { useDashboardAddress } from './use-dashboard-address.ts'
import { useEscape } from './use-escape.ts'
import { useSearchIndex } from './use-search-index.ts'
import { useShownFleet } from './use-shown-fleet.ts'
import { useStage } from './use-stage.ts'

const MarkerCard = lazyPart(() => import('./marker-card.tsx'))
const OnePlaceCard = lazyPart(() => import('./one-place-card.tsx'))
const DeviceUpdate = lazyPart(() => import('./device-update.tsx'))

/** The fleet on a map, beside it the same fleet as a list, the worst first. One thing is selected, in both. */
export default function Dashboard() {
  const fleet = useFleetItself()
  const { goTo, link, live } = useRoot()
  const { state: linkState, hindrance } = useStore(link)
  const desk = useStore(live)?.desk
  const whenNow = useWhenNow()
  const isStale = linkState === 'offline'
  const dashboard = dashboardOf(fleet)
  const latest = useSelector(dashboard, ({ context }) => context)
  // A key is on the screen at once; what it leaves comes after it.
  const words = useDeferredValue(latest.words)
  const picked = useMemo(() => ({ ...latest, words }), [latest, words])
  const isFollowed = useSelector(dashboard, (state) => state.matches({ selected: 'followed' }))
  const { groups, devices, status, selected } = picked
  const search = useSearchIndex(fleet)
  const [look, setLook] = useListLook()
  const sort = useDeferredValue(look.sort)
  const shown = useShownFleet(fleet, search, picked, sort)
  const question = useMemo(() => ({ groups, devices, status, words }), [groups, devices, status, words])
  const order = useMemo(() => ({ question, sort }), [question, sort])
  const [edited, setEdited] = useKeptState<string | null>('device update', nullable(string()), null)
  const card = useRef<HTMLElement>(null)
  const { stage, onePlace, closePlace } = useStage({
    fleet,
    dashboard,
    mask: shown.mask,
    question,
    selected,
    isFollowed,
    card,
  })
  const actions = useMemo(
    () => ({
      select: (imei: string) => dashboard.send({ type: 'device.select', imei }),
      open: (imei: string) => goTo(historyPath(imei)),
      edit: (imei: string) => whenNow(() => setEdited(imei)),
      pickStatus: (status: StatusFilter) => dashboard.send({ type: 'status.pick', status }),
      follow: () => dashboard.send({ type: 'map.follow' }),
      reset: () => dashboard.send({ type: 'map.reset' }),
    }),
    [dashboard, goTo, setEdited, whenNow],
  )
  const { mask } = shown
  const isShown = useCallback(
    (imei: string) => {
      const row = fleet.names.rowOf(imei)
      return row >= 0 && mask?.[row] !== 0
    },
    [fleet, mask],
  )
  const deselect = (): void => dashboard.send({ type: 'selection.clear' })
  useEscape(onePlace ? closePlace : deselect)
  const selectedRow = selected === null ? -1 : fleet.names.rowOf(selected)
  const isLost = selected !== null && (selectedRow < 0 || shown.scope?.[selectedRow] === 0)
  useEffect(() => {
    if (isLost) dashboard.send({ type: 'selection.lost' })
  }, [isLost, dashboard])
  useDashboardAddress({ fleet, dashboard, isLoading: shown.isLoading, view: latest, isLost })

  const list = (desk: Desk) => (
    <DeviceList
      fleet={fleet}
      desk={desk}
      rows={shown.rows}
      question={order}
      look={look}
      onLook={setLook}
      words={latest.words}
      onWords={(typed) => dashboard.send({ type: 'words.type', words: typed })}
      isNarrowed={shown.mask !== undefined}
      selected={selected}
      isStale={isStale}
      actions={actions}
      onClear={() => dashboard.send({ type: 'filters.clear' })}
    />
  )

  return (
    <FullPage title="Dashboard">
      <div className="relative flex size-full">
        <SidePanel onCover={stage.cover}>
          <StatsCard
            counts={shown.counts}
            isLoading={shown.isLoading}
            status={status}
            onPick={actions.pickStatus}
          />
          <Filters
            fleet={fleet}
            structure={fleet.structure}
            isLoading={shown.isLoading}
            search={search}
            filters={picked}
            tell={dashboard.send}
          />
          {shown.isLoading && hindrance !== undefined ? (
            <NoFleet hindrance={hindrance} onRetry={() => live.get()?.feed.retry()} />
          ) : shown.isLoading || desk === undefined ? (
            <SkeletonRows rows={12} className="px-2" />
          ) : (
            <IncidentDesk
              desk={desk}
              restWord="Devices"
              isShown={isShown}
              selected={selected}
              onPress={actions.select}
              onOpen={actions.open}
              rest={list(desk)}
            />
          )}
        </SidePanel>
        <div className="absolute inset-0 desk:relative desk:inset-auto desk:flex-1">
          <FleetMap stage={stage} />
          <MapControls
            figures={stage.figures}
            canFollow={selected !== null && !isFollowed}
            onFollow={actions.follow}
            onZoom={stage.zoomBy}
            onReset={actions.reset}
          />
          {selectedRow >= 0 && (
            <MarkerCard
              ref={card}
              device={deviceAt(fleet, selectedRow)}
              isStale={isStale}
              onClose={deselect}
              onShown={stage.refresh}
            />
          )}
          {onePlace && (
            <OnePlaceCard fleet={fleet} place={onePlace} onSelect={actions.select} onClose={closePlace} />
          )}
        </div>
      </div>
      {edited !== null && fleet.names.rowOf(edited) >= 0 && (
        <DeviceUpdate key={edited} fleet={fleet} imei={edited} onClose={() => setEdited(null)} />
      )}
    </FullPage>
  )
}
