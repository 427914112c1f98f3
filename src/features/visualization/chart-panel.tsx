import { useDeferredValue, useMemo, useState } from 'react'
import type { ViolationChart } from '#machines/contracts/entities/violations.ts'
import { counted } from '#machines/rules/figures.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { saveDrawing } from '../../actors/chart-image.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Panel } from '../../layout/page.tsx'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { SearchInput } from '../../ui/search-input.tsx'
import { BarChart } from './bar-chart.tsx'
import { type Bar, barsOf, foundBars } from './bars.ts'
import { ImageButton } from './image-button.tsx'
import { NoViolations } from './no-violations.tsx'
import { posterOf } from './poster.ts'
import { captionOf } from './time-words.ts'

/** Fewer fit the eye: nobody searches among them. */
const SEARCHED_FROM = 12

export type ChartPanelProps = { answer: ViolationChart; filter: ValidFilter; isLoading: boolean }

/** The devices that were beyond their limits, how often each, as bars to look through and as an image. */
export function ChartPanel({ answer, filter, isLoading }: ChartPanelProps) {
  const save = useSave(filter)
  const isEmpty = useFleet(hasNone)
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query)
  const bars = useMemo(() => barsOf(answer.data), [answer])
  const found = useMemo(() => foundBars(bars, wanted), [bars, wanted])
  return (
    <Panel
      title="Visualization"
      className={isLoading ? 'opacity-60' : ''}
      actions={<ImageButton isDisabled={bars.length === 0} onPress={() => save(bars)} />}
    >
      {bars.length === 0 ? (
        <NoViolations>
          {isEmpty
            ? 'No devices are assigned to your group.'
            : 'Nothing was beyond its limits. Choose other devices, violations or dates.'}
        </NoViolations>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pb-2">
            <p className="tabular text-dense text-ink-soft">{wordsOf(bars.length)}</p>
            <span className="flex-1" />
            {bars.length >= SEARCHED_FROM && (
              <div className="w-full rounded-small bg-sunken tablet:w-64 print:hidden">
                <SearchInput
                  aria-label="Find a plate number"
                  placeholder="Find a plate number"
                  value={query}
                  onChange={setQuery}
                />
              </div>
            )}
          </div>
          {found.length === 0 ? (
            <p className="px-4 pb-6 text-ink-soft">{`No device with violations has “${wanted.trim()}”.`}</p>
          ) : (
            <BarChart bars={found} most={(bars[0] as Bar).total} range={filter.range} />
          )}
        </>
      )}
    </Panel>
  )
}

const hasNone = ({ seq, counts }: Fleet): boolean => seq !== undefined && counts.total === 0

const wordsOf = (devices: number): string =>
  `${counted(devices, 'device')} had violations${devices === 1 ? '' : ', worst first'}`

/** Saves all bars, not those in view alone, under a line that says of what and when they are. */
function useSave({ groupId, range }: ValidFilter): (bars: readonly Bar[]) => void {
  const root = useRoot()
  const { groups } = useFleetItself()
  const name = groups.list[groups.indexOf(groupId)]?.name ?? ''
  const caption = captionOf(`Violations · ${name}`, range)
  return (bars) => void saveDrawing(root, posterOf(bars), 'violations-chart', caption)
}
