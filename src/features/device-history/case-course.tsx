import { useState } from 'react'
import type { ViolationCase } from '#machines/contracts/entities/violation-case.ts'
import { saveChartImage } from '../../actors/chart-image.ts'
import { createStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { useCaseHistory } from '../../actors/violation-case.ts'
import { writtenSpan, zoneName } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { QUANTITIES } from '../../layout/measured/quantities.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChartPanel } from './chart-panel.tsx'
import type { CursorStore } from './cursor.tsx'

const LocationMap = lazyPart(
  () => import('./location-map.tsx').then((module) => ({ default: module.LocationMap })),
  <Skeleton className="h-full w-full" />,
)
const HEIGHT = 260

/** What was measured about a violation, and where the device was: chart and map with one cursor. */
export function CaseCourse({ of: shown }: { of: ViolationCase }) {
  const { history, failure, ask, range } = useCaseHistory(shown)
  const root = useRoot()
  const [cursor] = useState<CursorStore>(() => createStore<number | undefined>(undefined))
  const { type, thingName } = shown.notification
  const quantity = type.includes('HUMIDITY') ? 'humidity' : 'temperature'
  if (history === undefined)
    return failure === null ? (
      <Skeleton className="h-90" />
    ) : (
      <ErrorState
        title="What was measured could not be loaded"
        details={failure.message}
        action={<Button onPress={ask}>Try again</Button>}
      />
    )
  if (history.points.length === 0)
    return (
      <Panel className="min-h-40">
        <EmptyState title="There is no data">No reading of this time is kept any more.</EmptyState>
      </Panel>
    )
  const save = (figure: SVGSVGElement) => {
    const { file, title, unit } = QUANTITIES[quantity]
    const caption = `${thingName} · ${title}, ${unit} · ${writtenSpan(range.from, range.to)} ${zoneName}`
    void saveChartImage(root, figure, file, caption)
  }
  return (
    <div className="grid gap-4 desk:grid-cols-[minmax(0,1fr)_20rem]">
      <ChartPanel
        quantity={quantity}
        height={HEIGHT}
        history={history}
        range={range}
        cursor={cursor}
        onSave={save}
        onSpell={({ from }) => cursor.set(from.getTime())}
      />
      <section
        aria-label="Location"
        className="h-72 overflow-hidden rounded-panel bg-surface shadow-soft desk:h-auto print:h-auto"
      >
        <LocationMap history={{ ...history, latest: null }} name={thingName} cursor={cursor} />
      </section>
    </div>
  )
}
