import { useSelector } from '@xstate/react'
import { ArrowLeft, Bell } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useParams } from 'wouter'
import type { DeviceHistory as History } from '#machines/contracts/entities/devices.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { saveChartImage } from '../../actors/chart-image.ts'
import { useHistorySearch } from '../../actors/history-search.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { useRoot } from '../../actors/use-root.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { searchTime, zoneName } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { DamagedNotice } from './damaged-notice.tsx'
import { LatestCard } from './latest-card.tsx'
import { QUANTITIES } from './quantities.ts'
import { SearchPanel } from './search-panel.tsx'
import type { Quantity } from './series.ts'

const LocationMap = lazyPart(() =>
  import('./location-map.tsx').then((module) => ({ default: module.LocationMap })),
)

/** `/temperature/{imei}`: what a device measured, by range, extended while it is looked at. */
export default function DeviceHistory() {
  const { imei = '' } = useParams()
  return <HistoryOf key={imei} imei={imei} />
}

function HistoryOf({ imei }: { imei: string }) {
  const { clock } = useRoot()
  const actor = useHistorySearch(imei)
  const { range, history, message, error } = useSelector(actor, (state) => state.context)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  const isEmpty = useSelector(actor, (state) => state.matches('empty'))
  const hasFailed = useSelector(actor, (state) => state.matches('failed'))
  const device = useDeviceName(imei)
  return (
    <Page
      title={device?.name ?? imei}
      description={device && `${device.plate === '' ? '' : `${device.plate} · `}IMEI ${imei}`}
      actions={
        <div className="flex flex-wrap">
          <Link
            href={notificationsAddress({ thing: imei, ...(device && { plate: device.plate }) })}
            className={buttonLook('quiet')}
          >
            <Bell size={16} aria-hidden />
            Notifications
          </Link>
          <Link href="/" className={buttonLook('quiet')}>
            <ArrowLeft size={16} aria-hidden />
            Dashboard
          </Link>
        </div>
      }
    >
      <Panel className="p-4">
        <SearchPanel
          device={device?.name ?? imei}
          range={range}
          message={message}
          isLoading={isLoading}
          onSearch={(wanted) => actor.send({ type: 'search', range: wanted, now: clock.now() })}
        />
      </Panel>
      {hasFailed ? (
        <Panel className="flex-1">
          <ErrorState
            title="This history could not be loaded"
            details={error ?? undefined}
            action={<Button onPress={() => actor.send({ type: 'retry' })}>Try again</Button>}
          />
        </Panel>
      ) : history === null ? (
        <Waiting />
      ) : (
        <div
          aria-busy={isLoading}
          className={isLoading ? 'flex flex-col gap-4 opacity-60' : 'flex flex-col gap-4'}
        >
          <DamagedNotice spans={history.damaged ?? []} />
          <Overview history={history} name={device?.name ?? imei} />
          {isEmpty ? (
            <Panel className="min-h-60">
              <EmptyState title="There is no data">
                Nothing was measured in this range. Choose another start or end date.
              </EmptyState>
            </Panel>
          ) : (
            <Charts history={history} range={range} name={device?.name ?? imei} />
          )}
        </div>
      )}
    </Page>
  )
}

function Overview({ history, name }: { history: History; name: string }) {
  return (
    <div className="grid gap-4 desk:grid-cols-[minmax(20rem,1fr)_2fr]">
      <LatestCard latest={history.latest} thresholds={history.thresholds} />
      <section aria-label="Location" className="h-56 overflow-hidden rounded-panel bg-surface shadow-soft">
        <Suspense fallback={<Skeleton className="h-full w-full" />}>
          <LocationMap history={history} name={name} />
        </Suspense>
      </section>
    </div>
  )
}

function Charts({ history, range, name }: { history: History; range: Range; name: string }) {
  const root = useRoot()
  const save = (figure: SVGSVGElement, quantity: Quantity) => {
    const { file, title, unit } = QUANTITIES[quantity]
    const caption = `${name} · ${title}, ${unit} · ${searchTime(range.from)} to ${searchTime(range.to)} ${zoneName}`
    void saveChartImage(root, figure, file, caption)
  }
  return (
    <div className="grid gap-4 wall:grid-cols-2">
      <ChartPanel quantity="temperature" history={history} range={range} onSave={save} />
      <ChartPanel quantity="humidity" history={history} range={range} onSave={save} />
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading history" className="flex flex-col gap-4">
      <div className="grid gap-4 desk:grid-cols-[minmax(20rem,1fr)_2fr]">
        <Skeleton className="h-64" />
        <Skeleton className="h-64" />
      </div>
      <div className="grid gap-4 wall:grid-cols-2">
        <Skeleton className="h-90" />
        <Skeleton className="h-90" />
      </div>
    </div>
  )
}
