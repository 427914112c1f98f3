import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { ONLY_NOW } from '../actors/only-now.ts'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { FleetContext } from '../read-model/use-fleet.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { afterFirstPage, useFetchAhead } from './fetch-ahead.ts'
import { HandedOverBanner } from './handed-over-banner.tsx'
import { Header } from './header.tsx'
import { lazyPart } from './lazy-part.ts'
import { Pages } from './pages.tsx'
import { PastContext } from './past/past-context.ts'
import { usePast } from './past/use-past.ts'
import ServerAwaited from './server-awaited.tsx'
import { Sidebar } from './sidebar.tsx'
import { useGoKeys } from './use-go-keys.ts'
import { usePageOfMoment } from './use-page-of-moment.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** As high as the footer, so that nothing moves when it comes. */
const footerRoom = <div className="hidden min-h-7 tablet:block short:hidden" />

const Palette = lazyPart(() => import('./palette.tsx'))
const Wall = lazyPart(() => import('../features/dashboard/wall/wall.tsx'))
const PastBar = lazyPart(() => import('./past/past-bar.tsx'))
// nothing of then without the bar that says so
const PastFrame = lazyPart(
  () => Promise.all([import('./past/past-frame.tsx'), PastBar.fetchPart()]).then(([frame]) => frame),
  <SkeletonRows rows={10} className="p-4" />,
)
const Keys = lazyPart(() => import('./keys.tsx'))
const NewVersionBar = lazyPart(
  afterFirstPage(() => import('./new-version-bar.tsx')),
  null,
  false,
)
const SinceYouLeftRoom = lazyPart(() => import('./since-you-left-room.tsx'), null, false)
const SinceYouLeft = lazyPart(
  afterFirstPage(() => import('../features/shift/since-you-left.tsx')),
  <SinceYouLeftRoom />,
  false,
)
const WorldFooter = lazyPart(() => import('../features/director/world-footer.tsx'), footerRoom, false)

/** What stands around every page of those who are signed in. */
export default function Shell() {
  const root = useRoot()
  const live = useStore(root.live)
  const isSimulated = useStore(root.server)?.simulator === true
  const fleet = live?.fleet
  const [location] = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [areKeysOpen, setKeysOpen] = useState(false)
  const closeKeys = useCallback(() => setKeysOpen(false), [])
  const closePalette = useCallback(() => setPaletteOpen(false), [])
  usePageOfMoment()
  useGoKeys(() => setKeysOpen(true))
  useFetchAhead()
  const { past, isWall, leaveWall } = usePast(live)
  useShortcuts({
    onPalette: () => setPaletteOpen((isOpen) => !isOpen),
    onPast: () => void live?.lookBack(),
  })

  if (isWall && fleet)
    return (
      <FleetContext value={fleet}>
        <main className="relative h-dvh bg-surface">
          <ErrorBoundary at={location}>
            <Wall onLeave={leaveWall} />
          </ErrorBoundary>
        </main>
      </FleetContext>
    )
  return (
    <FleetContext value={fleet ?? null}>
      <PastContext value={past && ONLY_NOW}>
        <a
          href="#content"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-small bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0"
        >
          Skip to content
        </a>
        <div className="flex h-dvh overflow-hidden bg-ground">
          <Sidebar isDrawerOpen={isDrawerOpen} onDrawerChange={setDrawerOpen} />
          <div className="flex min-w-0 flex-1 flex-col">
            <NewVersionBar />
            <HandedOverBanner />
            <Header live={live} onMenu={() => setDrawerOpen(true)} onSearch={() => setPaletteOpen(true)} />
            {past ? <PastBar past={past} /> : live && <SinceYouLeft />}
            <main id="content" tabIndex={-1} className="relative min-h-0 flex-1 overflow-auto outline-none">
              <ErrorBoundary at={location}>
                {past ? (
                  <PastFrame past={past}>
                    <Pages />
                  </PastFrame>
                ) : fleet ? (
                  <Pages />
                ) : (
                  <ServerAwaited skeleton={<SkeletonRows rows={10} className="p-4" />} />
                )}
              </ErrorBoundary>
            </main>
            {isSimulated && <WorldFooter className="px-4 max-tablet:hidden short:hidden" />}
          </div>
        </div>
        {areKeysOpen && <Keys onClose={closeKeys} />}
        {isPaletteOpen && live && (
          <FleetContext value={past?.fleet ?? live.fleet}>
            <Palette desk={live.desk} onClose={closePalette} />
          </FleetContext>
        )}
      </PastContext>
    </FleetContext>
  )
}
