import { type ReactNode, useMemo, useState } from 'react'
import type { DeviceHistory as History } from '#machines/contracts/entities/devices.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { saveChartImage } from '../../actors/chart-image.ts'
import { createStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { writtenSpan, zoneName } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { QUANTITIES } from '../../layout/measured/quantities.ts'
import { meanwhileOf, type Quantity, type Spell, seriesOf } from '../../layout/measured/series.ts'
import { type Summary, summaryOf } from '../../layout/measured/spell-words.ts'
import { SummaryLine } from '../../layout/measured/summary-line.tsx'
import { Panel } from '../../layout/page.tsx'
import { useNow } from '../../ui/clock-context.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChartPanel } from './chart-panel.tsx'
import type { CursorStore } from './cursor.tsx'
import { LatePart } from './late-part.tsx'
import { LatestCard } from './latest-card.tsx'
import { Strips } from './strips.tsx'

const LocationMap = lazyPart(
  () => import('./location-map.tsx').then((module) => ({ default: module.LocationMap })),
  <Skeleton className="h-full w-full" />,
)

/** The charts take the room; where the device is and what it last said stand beside them, below where it is narrow. */
export const PROOF_GRID = 'grid gap-4 desk:grid-cols-[minmax(0,1fr)_20rem]'
const HEIGHT = { temperature: 300, humidity: 120 }

export type Part = { from: Date; to: Date }

export type ProofProps = {
  history: History
  /** epoch ms, what the charts show */
  range: Range
  /** of the device */
  name: string
  /** shows a spell, or what came late, by itself */
  onSpell: (part: Part) => void
  /** histories of devices it is compared with, as far as they are there */
  others?: readonly (History | undefined)[]
  /** beside the first chart's title, and above it */
  actions?: ReactNode
  legend?: ReactNode
  /** under the first chart, on its axis */
  beneath?: ReactNode
}

/** Charts, where it was and what it last said. */
export function Proof(props: ProofProps) {
  const { history, name } = props
  const [cursor] = useState<CursorStore>(() => createStore<number | undefined>(undefined))
  return (
    <>
      {history.points.length === 0 ? (
        <Panel className="min-h-60">
          <EmptyState title="There is no data">
            Nothing was measured in this range. Choose another start or end date.
          </EmptyState>
        </Panel>
      ) : (
        <Charts {...props} cursor={cursor} />
      )}
      <Overview history={history} name={name} cursor={cursor} />
    </>
  )
}

/** What is said and to be pressed besides what was measured. */
export type Noted = { words: readonly string[]; acts?: ReactNode }

export type SummariesProps = {
  history: History
  /** epoch ms, what is told of */
  range: Range
  /** what there is besides, of what is out of its limits */
  about?: (quantity: Quantity, side: Spell['side']) => Noted
  /** other lines */
  children?: ReactNode
}

/** Temperature first; humidity where it is out of its limits. */
export function Summaries({ history, range, about, children }: SummariesProps) {
  const now = useNow(10_000)
  const temperature = useMemo(() => seriesOf(history, 'temperature'), [history])
  const humidity = useMemo(() => seriesOf(history, 'humidity'), [history])
  const first = summaryOf(temperature, 'temperature', now, range)
  const second = summaryOf(humidity, 'humidity', now, range)
  const line = (summary: Summary, quantity: Quantity) => {
    const noted = summary.side && about?.(quantity, summary.side)
    return (
      <SummaryLine
        summary={summary}
        quantity={quantity}
        {...(noted && { more: noted.words, acts: noted.acts })}
      />
    )
  }
  return (
    <section aria-label="In short" className="flex flex-col gap-2">
      {first && line(first, 'temperature')}
      {second?.side && line(second, 'humidity')}
      {children}
    </section>
  )
}

type OverviewProps = { history: History; name: string; cursor: CursorStore }

function Overview({ history, name, cursor }: OverviewProps) {
  return (
    // beside charts of any length it stays in sight
    <div className="flex min-w-0 flex-col gap-4 wall:sticky wall:top-4 wall:self-start">
      <section
        aria-label="Location"
        className="h-56 overflow-hidden wall:h-96 rounded-panel bg-surface shadow-soft print:h-auto"
      >
        <LocationMap history={history} name={name} cursor={cursor} />
      </section>
      <LatestCard latest={history.latest} thresholds={history.thresholds} />
    </div>
  )
}

function Charts(props: ProofProps & { cursor: CursorStore }) {
  const { history, range, name, onSpell, cursor, others, actions, legend, beneath } = props
  const root = useRoot()
  const save = (figure: SVGSVGElement, quantity: Quantity) => {
    const { file, title, unit } = QUANTITIES[quantity]
    const caption = `${name} · ${title}, ${unit} · ${writtenSpan(range.from, range.to)} ${zoneName}`
    void saveChartImage(root, figure, file, caption)
  }
  const [isMeanwhile, setMeanwhile] = useState(false)
  const late = history.late ?? []
  const drawn = useMemo(
    () => (isMeanwhile && late.length > 0 ? meanwhileOf(history) : history),
    [history, isMeanwhile, late.length],
  )
  const shared = { history: drawn, range, cursor, onSave: save, onSpell, ...(others && { others }) }
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {legend}
      <ChartPanel quantity="temperature" height={HEIGHT.temperature} actions={actions} {...shared}>
        <LatePart
          spans={late}
          range={range}
          isMeanwhile={isMeanwhile}
          onMeanwhile={setMeanwhile}
          onSpan={onSpell}
        />
        <Strips points={drawn.points} range={range} />
        {beneath}
      </ChartPanel>
      <ChartPanel quantity="humidity" height={HEIGHT.humidity} {...shared} />
    </div>
  )
}

export function WaitingProof() {
  return (
    <div role="status" aria-label="Loading history" className={PROOF_GRID}>
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

/** A spell with as much around it, and half an hour at least. */
export function aroundOf({ from, to }: Part): Range {
  const room = Math.max(to.getTime() - from.getTime(), HOUR_MS / 2)
  return { from: from.getTime() - room, to: to.getTime() + room }
}

const HOUR_MS = 3_600_000
