import { useSelector } from '@xstate/react'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { dashboardOf } from '../../../actors/dashboard-actor.ts'
import { useStore } from '../../../actors/store.ts'
import { useAwake } from '../../../actors/use-awake.ts'
import { useRoot } from '../../../actors/use-root.ts'
import { formatCount } from '../../../format/numbers.ts'
import { clockTime, dayOfMonth, zoneName } from '../../../format/time.ts'
import { wordsOf } from '../../../layout/link-words.ts'
import { FullPage } from '../../../layout/page.tsx'
import type { FleetCounts } from '../../../read-model/counts.ts'
import { useFleetItself } from '../../../read-model/use-fleet.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useNow } from '../../../ui/clock-context.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { Time } from '../../../ui/time.tsx'
import { FleetMap } from '../map/fleet-map.tsx'
import { shownIn } from '../shown-fleet.ts'
import { useDashboardAddress } from '../use-dashboard-address.ts'
import { useEscape } from '../use-escape.ts'
import { useMapController } from '../use-map-controller.ts'
import { useSearchIndex } from '../use-search-index.ts'
import { useShownFleet } from '../use-shown-fleet.ts'
import { useNewVersion } from './use-new-version.ts'
import { useScale } from './use-scale.ts'
import { WallIncidents } from './wall-incidents.tsx'

/** Whoever drives off is looked for so often, ms. */
const LOOK_EVERY_MS = 60_000
const NOTHING = { get: () => undefined, subscribe: () => () => {} }

/**
 * The dashboard for a screen on a wall: the map and what is open, larger, without anything to press. What is picked by the address
 * narrows it. It stays awake, and takes a new version by itself.
 */
export default function Wall({ onLeave }: { onLeave: () => void }) {
  const fleet = useFleetItself()
  const { live } = useRoot()
  const known = useStore(useStore(live)?.desk.known ?? NOTHING)
  const dashboard = dashboardOf(fleet)
  const view = useSelector(dashboard, ({ context }) => context)
  const shown = useShownFleet(fleet, useSearchIndex(fleet), view, null)
  const { groups, devices, status, words } = view
  const question = useMemo(() => ({ groups, devices, status, words }), [groups, devices, status, words])
  const card = useRef<HTMLElement>(null)
  const { controller } = useMapController({
    fleet,
    dashboard,
    mask: shown.mask,
    question,
    selected: null,
    isFollowed: false,
    card,
  })
  useEffect(() => {
    const timer = setInterval(() => controller.keepShown(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [controller])
  useDashboardAddress({ fleet, dashboard, isLoading: shown.isLoading, view, isLost: false })
  useEscape(onLeave)
  useAwake()
  useNewVersion()
  const scale = useScale()
  const { mask } = shown
  return (
    <FullPage title="Wall">
      <div className="group relative flex size-full flex-col tablet:flex-row">
        <div inert className="relative min-h-0 flex-1">
          <FleetMap controller={controller} />
        </div>
        <div
          className="flex min-h-0 shrink-0 flex-col bg-surface max-tablet:h-1/2 tablet:w-104"
          style={{ zoom: scale }}
        >
          <Heading counts={shown.counts} />
          {known === undefined || shown.isLoading ? (
            <SkeletonRows rows={8} className="px-4" />
          ) : (
            <WallIncidents
              fleet={fleet}
              known={known}
              isShown={shownIn(fleet, mask)}
              isNarrowed={mask !== undefined}
            />
          )}
        </div>
        <IconButton
          aria-label="Leave the wall"
          onPress={onLeave}
          className="absolute top-2 left-2 bg-surface opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
        >
          <X size={20} aria-hidden />
        </IconButton>
      </div>
    </FullPage>
  )
}

/** The time and its zone, how old the data is, and how many devices are how. */
function Heading({ counts }: { counts: FleetCounts }) {
  const { link } = useRoot()
  const now = useNow()
  const status = useStore(link)
  return (
    // it moves a little each minute: a picture that stands for years stays in a screen
    <header
      className="tabular flex flex-col px-4 pt-3 pb-2"
      style={{
        translate: `${(Math.floor(now / 60_000) % 5) - 2}px ${(Math.floor(now / 300_000) % 3) - 1}px`,
      }}
    >
      <p className="flex items-baseline justify-between gap-3">
        <Time at={now} as={clockTime} className="font-semibold text-figure" />
        <span className="text-ink-soft">{`${dayOfMonth(now)} · ${zoneName}`}</span>
      </p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          {`${formatCount(counts.online)} online · ${formatCount(counts.disconnected)} disconnected · ${formatCount(counts.offline)} offline`}
        </span>
        <output
          className={classNames(
            'font-medium',
            status.state === 'live' ? 'text-ink-soft' : 'rounded-small bg-caution-soft px-2 text-caution',
          )}
        >
          {wordsOf(status, now)}
        </output>
      </p>
    </header>
  )
}
