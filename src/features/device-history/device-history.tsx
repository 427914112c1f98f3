import { useSelector } from '@xstate/react'
import { ArrowLeft, Bell } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { DeviceHistory as History } from '#machines/contracts/entities/devices.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { lastNight } from '#machines/rules/date-range.ts'
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
import { classNames } from '../../ui/class-names.ts'
import { useNow } from '../../ui/clock-context.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { DamagedNotice } from './damaged-notice.tsx'
import { LatePart } from './late-part.tsx'
import { LatestCard } from './latest-card.tsx'
import { QUANTITIES } from './quantities.ts'
import { type Preset, SearchPanel } from './search-panel.tsx'
import { meanwhileOf, type Quantity, seriesOf } from './series.ts'
import { verdictOf } from './spell-words.ts'
import { Strips } from './strips.tsx'
import { VerdictLine } from './verdict.tsx'

const LocationMap = lazyPart(
  () => import('./location-map.tsx').then((module) => ({ default: module.LocationMap })),
  <Skeleton className="h-full w-full" />,
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
  const [preset, setPreset] = useState<Preset | null>('day')
  // what is typed gives way to a span that is offered
  const [looks, setLooks] = useState(0)
  const look = (to: Preset | null, range: Range): void => {
    setPreset(to)
    setLooks(looks + 1)
    actor.send({ type: 'look', range, now: clock.now() })
  }
  const name = device?.name ?? imei
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
      {history !== null && !hasFailed && <Verdicts history={history} />}
      <Panel className="p-4 max-tablet:order-last print:hidden">
        <SearchPanel
          key={looks}
          device={name}
          range={range}
          preset={preset}
          message={message}
          isLoading={isLoading}
          onPreset={(wanted) => look(wanted, spanOf(wanted, clock.now()))}
          onSearch={(wanted) => {
            setPreset(null)
            actor.send({ type: 'search', range: wanted, now: clock.now() })
          }}
        />
      </Panel>
      {history?.damaged !== undefined && !hasFailed && <DamagedNotice spans={history.damaged} />}
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
        <div aria-busy={isLoading} className={classNames(GRID, isLoading && 'opacity-60')}>
          {isEmpty ? (
            <Panel className="min-h-60">
              <EmptyState title="There is no data">
                Nothing was measured in this range. Choose another start or end date.
              </EmptyState>
            </Panel>
          ) : (
            <Charts
              history={history}
              range={range}
              name={name}
              onSpell={(spell) => look(null, aroundOf(spell))}
            />
          )}
          <Overview history={history} name={name} />
        </div>
      )}
    </Page>
  )
}

/** The charts take the room; where the device is and what it last said stand beside them, below where it is narrow. */
const GRID = 'grid gap-4 desk:grid-cols-[minmax(0,1fr)_20rem]'
const HEIGHT = { temperature: 300, humidity: 120 }

/** Temperature first; humidity where it is out of its limits. */
function Verdicts({ history }: { history: History }) {
  const now = useNow(10_000)
  const temperature = useMemo(() => seriesOf(history, 'temperature'), [history])
  const humidity = useMemo(() => seriesOf(history, 'humidity'), [history])
  const first = verdictOf(temperature, 'temperature', now)
  const second = verdictOf(humidity, 'humidity', now)
  return (
    <section aria-label="In short" className="flex flex-col gap-2">
      {first && <VerdictLine verdict={first} quantity="temperature" />}
      {second?.side && <VerdictLine verdict={second} quantity="humidity" />}
    </section>
  )
}

function Overview({ history, name }: { history: History; name: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <section aria-label="Location" className="h-56 overflow-hidden rounded-panel bg-surface shadow-soft">
        <LocationMap history={history} name={name} />
      </section>
      <LatestCard latest={history.latest} thresholds={history.thresholds} />
    </div>
  )
}

type Part = { from: Date; to: Date }
type ChartsProps = { history: History; range: Range; name: string; onSpell: (part: Part) => void }

function Charts({ history, range, name, onSpell }: ChartsProps) {
  const root = useRoot()
  const save = (figure: SVGSVGElement, quantity: Quantity) => {
    const { file, title, unit } = QUANTITIES[quantity]
    const caption = `${name} · ${title}, ${unit} · ${searchTime(range.from)} to ${searchTime(range.to)} ${zoneName}`
    void saveChartImage(root, figure, file, caption)
  }
  const [isMeanwhile, setMeanwhile] = useState(false)
  const late = history.late ?? []
  const drawn = useMemo(
    () => (isMeanwhile && late.length > 0 ? meanwhileOf(history) : history),
    [history, isMeanwhile, late.length],
  )
  const shared = { history: drawn, range, onSave: save, onSpell }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ChartPanel quantity="temperature" height={HEIGHT.temperature} {...shared}>
        <LatePart
          spans={late}
          range={range}
          isMeanwhile={isMeanwhile}
          onMeanwhile={setMeanwhile}
          onSpan={onSpell}
        />
        <Strips points={drawn.points} range={range} />
      </ChartPanel>
      <ChartPanel quantity="humidity" height={HEIGHT.humidity} {...shared} />
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading history" className={GRID}>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-90" />
        <Skeleton className="h-48" />
      </div>
      <div className="flex flex-col gap-4">
        <Skeleton className="h-56" />
        <Skeleton className="h-48" />
      </div>
    </div>
  )
}

const HOUR_MS = 3_600_000

function spanOf(preset: Preset, now: number): Range {
  if (preset === 'night') return lastNight(now, zoneName)
  const hours = { hour: 1, day: 24, week: 7 * 24 }[preset]
  return { from: now - hours * HOUR_MS, to: now }
}

/** A spell with as much around it, and half an hour at least. */
function aroundOf({ from, to }: Part): Range {
  const room = Math.max(to.getTime() - from.getTime(), HOUR_MS / 2)
  return { from: from.getTime() - room, to: to.getTime() + room }
}
