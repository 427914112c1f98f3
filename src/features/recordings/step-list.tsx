import { useVirtualizer } from '@tanstack/react-virtual'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { RecordedStep, Recording } from '#machines/contracts/recording.ts'
import { wordsOf } from '../../actors/recording/step-words.ts'
import { classNames } from '../../ui/class-names.ts'
import { elapsed } from './elapsed.ts'

type Props = {
  recording: Recording
  /** steps taken: the one before it is marked */
  at: number
  differences: ReadonlyMap<number, string>
  onJump: (to: number) => void
}

const ROW = 32

/** The steps in their order; of 50,000 only those in view exist. */
export function StepList({ recording: { steps }, at, differences, onJump }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  })
  useEffect(() => {
    if (steps.length > 0) virtual.scrollToIndex(Math.max(0, at - 1))
  }, [at, steps.length, virtual])
  return (
    <section
      aria-label="Steps"
      className="flex max-h-80 min-h-0 flex-col rounded-panel bg-surface py-2 shadow-soft desk:max-h-none"
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={scroller} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <ol className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <li
              key={index}
              aria-setsize={steps.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)`, height: ROW }}
              className="absolute inset-x-0"
            >
              <Row
                step={steps[index] as RecordedStep}
                isCurrent={index === at - 1}
                isAhead={index >= at}
                differs={differences.has(index)}
                onPress={() => onJump(index + 1)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

type RowProps = {
  step: RecordedStep
  isCurrent: boolean
  isAhead: boolean
  differs: boolean
  onPress: () => void
}

function Row({ step, isCurrent, isAhead, differs, onPress }: RowProps) {
  const { who, what } = wordsOf(step)
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-current={isCurrent ? 'step' : undefined}
      title={`${who}: ${what}`}
      onClick={onPress}
      className={classNames(
        'flex size-full items-center gap-2 px-3 text-left text-dense',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <span className="tabular w-14 shrink-0 text-right text-ink-faint">{elapsed(step.t)}</span>
      <span className={classNames('w-32 shrink-0 truncate font-medium', isAhead && 'text-ink-soft')}>
        {who}
      </span>
      <span className={classNames('min-w-0 flex-1 truncate', isAhead ? 'text-ink-faint' : 'text-ink-soft')}>
        {what}
      </span>
      {differs && (
        <span className="flex shrink-0 items-center gap-1 text-error">
          <TriangleAlert size={14} aria-hidden />
          differs
        </span>
      )}
    </button>
  )
}
