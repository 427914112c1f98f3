import { useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { pathTo } from '#machines/testing/choosing.ts'
import { outlineOf } from '#machines/testing/outline.ts'
import { sentencesOf } from '#machines/testing/prose.ts'
import type { BrowserRun } from '../../actors/lab.ts'
import type { Look, Pick } from '../../machine-chart/chart-svg.ts'
import { lookOf } from '../../machine-chart/look.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChartPane } from './chart-pane.tsx'
import type { Walked } from './models.ts'
import { Legend, SourceChoice } from './source-choice.tsx'
import type { Source, SourceId } from './sources.ts'
import { TransitionList } from './transition-list.tsx'
import { useDrawing } from './use-drawing.ts'
import { usePlay } from './use-play.ts'
import { WayPanel } from './way-panel.tsx'

type Props = {
  walked: Walked
  sources: readonly Source[]
  /** the transition or state of the address */
  given: string | null
  browser: BrowserRun
}

/** One machine: its chart, the list that goes with it, and the way to what is picked. */
export function Bench({ walked, sources, given, browser }: Props) {
  const { model, found } = walked
  const outline = useMemo(() => outlineOf(model.machine), [model])
  const picked = useMemo(() => pickOf(found, given), [found, given])
  const path = useMemo(() => picked && pathTo(model, found, picked.name), [model, found, picked])
  const [, setSearch] = useSearchParams()
  const pick = ({ name }: Pick) => setSearch({ to: name }, { replace: true })

  const play = usePlay(model, path)
  const { drawing, failure } = useDrawing(walked)
  const [wanted, setWanted] = useState<SourceId>()
  const chosen = sources.find(({ id }) => id === wanted) ?? firstOf(sources, walked)
  const last = play.shots.at(-1)
  const look: Look = {
    ...lookOf(chosen.of(walked), chosen.words),
    picked,
    ...(last && { taken: last.takes, within: last.within }),
  }
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] gap-4 desk:grid-cols-[minmax(0,1fr)_340px]">
      <div className="flex min-h-0 flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <SourceChoice
            sources={sources.filter((source) => source.of(walked) !== undefined)}
            chosen={chosen.id}
            onChoose={setWanted}
          />
          <Legend />
        </div>
        <div className="flex h-[60dvh] min-h-0 flex-col desk:h-auto desk:flex-1">
          {drawing ? (
            <ChartPane name={outline.name} drawing={drawing} look={look} onPick={pick} />
          ) : failure !== undefined ? (
            <ErrorState title="The chart could not be drawn" details={failure} />
          ) : (
            <div role="status" aria-label="Loading" className="h-full">
              <Skeleton className="h-full" />
            </div>
          )}
        </div>
      </div>
      <div className="flex min-h-0 flex-col gap-3">
        {picked && path ? (
          <div className="min-h-0 shrink-0 desk:max-h-[62%] desk:overflow-auto">
            <WayPanel
              pick={picked}
              walked={walked}
              sources={sources}
              sentences={sentencesOf(model, path)}
              play={play}
              browser={browser}
            />
          </div>
        ) : (
          <p className="text-ink-soft">
            Pick a transition, in the chart or in the list, to see the shortest path to it and run it.
          </p>
        )}
        <div className="min-h-0 flex-1 rounded-panel bg-surface shadow-soft desk:overflow-auto">
          <TransitionList {...{ walked, outline, sources, picked }} onPick={pick} />
        </div>
      </div>
    </div>
  )
}

function pickOf({ states, transitions }: Walked['found'], name: string | null): Pick | undefined {
  if (name === null) return undefined
  if (transitions.includes(name)) return { kind: 'transition', name }
  return states.includes(name) ? { kind: 'state', name } : undefined
}

/** Tests first: there is most to learn from. Generated paths take all of it. */
function firstOf([generated, tests, here]: readonly Source[], walked: Walked): Source {
  const first = [tests, here, generated].find((source) => source?.of(walked) !== undefined)
  if (first === undefined) throw new Error('There is no source')
  return first
}
