import { useSelector } from '@xstate/react'
import { useEffect, useRef } from 'react'
import { nullable, string } from 'superstruct'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { FullPage } from '../../layout/page.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { deviceAt } from './device.ts'
import { FleetMap } from './map/fleet-map.tsx'
import { MapControls } from './map-controls.tsx'
import { FleetPanel } from './panel/fleet-panel.tsx'
import { SidePanel } from './panel/side-panel.tsx'
import { passes } from './shown-fleet.ts'
import { useActions } from './use-actions.ts'
import { useDashboardAddress } from './use-dashboard-address.ts'
import { useEscape } from './use-escape.ts'
import { useMapController } from './use-map-controller.ts'
import { useRequested } from './use-requested.ts'
import { useSearchIndex } from './use-search-index.ts'
import { useShownFleet } from './use-shown-fleet.ts'

const MarkerCard = lazyPart(() => import('./marker-card.tsx'))
const OnePlaceCard = lazyPart(() => import('./one-place-card.tsx'))
const DeviceUpdate = lazyPart(() => import('./device-update.tsx'))

/** The fleet on a map, beside it the same fleet as a list, the worst first. One thing is selected, in both. */
export default function Dashboard() {
  const fleet = useFleetItself()
  const dashboard = dashboardOf(fleet)
  const requested = useRequested(dashboard)
  const { latest, picked, question } = requested
  const { selected } = picked
  const isFollowed = useSelector(dashboard, (state) => state.matches({ selected: 'followed' }))
  const search = useSearchIndex(fleet)
  const shown = useShownFleet(fleet, search, picked, requested.sort)
  const { mask, isLoading } = shown
  const card = useRef<HTMLElement>(null)
  const { controller, onePlace, closePlace } = useMapController({
    fleet,
    dashboard,
    mask,
    question,
    selected,
    isFollowed,
    card,
  })
  const [edited, setEdited] = useKeptState<string | null>('device update', nullable(string()), null)
  const actions = useActions(dashboard, setEdited)
  const deselect = (): void => dashboard.send({ type: 'selection.clear' })
  useEscape(onePlace ? closePlace : deselect)
  const selectedRow = selected === null ? -1 : fleet.names.rowOf(selected)
  const isHidden =
    shown.scope?.[selectedRow] === 0 || !passes(picked.status, fleet.columns.state[selectedRow] ?? 0)
  const isLost = selected !== null && (selectedRow < 0 || isHidden)
  useEffect(() => {
    // without it a device that has another tracker is let go of
    import('./follow-replaced.ts').then((its) => its.followReplaced(fleet, dashboard)).catch(() => {})
  }, [fleet, dashboard])
  useEffect(() => {
    if (isLost) dashboard.send({ type: 'selection.lost' })
  }, [isLost, dashboard])
  useDashboardAddress({ fleet, dashboard, isLoading, view: latest, isLost })

  return (
    <FullPage title="Dashboard">
      <div className="relative flex size-full">
        <SidePanel onCover={controller.cover}>
          <FleetPanel {...{ fleet, dashboard, requested, search, shown, actions }} />
        </SidePanel>
        <div className="absolute inset-0 desk:relative desk:inset-auto desk:flex-1">
          <FleetMap controller={controller} />
          <MapControls
            figures={controller.figures}
            canFollow={selected !== null && !isFollowed}
            onFollow={actions.follow}
            onZoom={controller.zoomBy}
            onReset={actions.reset}
          />
          {selectedRow >= 0 && (
            <MarkerCard
              ref={card}
              device={deviceAt(fleet, selectedRow)}
              onClose={deselect}
              onShown={controller.refresh}
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
