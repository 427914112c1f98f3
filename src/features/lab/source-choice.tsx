import { classNames } from '../../ui/class-names.ts'
import type { Source, SourceId } from './sources.ts'

type Props = { sources: readonly Source[]; chosen: SourceId; onChoose: (id: SourceId) => void }

/** By whose coverage the chart is drawn, and what its lines mean. */
export function SourceChoice({ sources, chosen, onChoose }: Props) {
  return (
    <fieldset className="flex flex-wrap items-center gap-1">
      <legend className="sr-only">Show what is covered by</legend>
      {sources.map(({ id, title }) => (
        <label
          key={id}
          className={classNames(
            'flex h-control cursor-pointer items-center rounded-small px-3 font-medium has-focus-visible:outline-2 has-focus-visible:outline-focus',
            id === chosen ? 'bg-accent-soft text-accent-strong' : 'text-ink-soft hover:bg-hover',
          )}
        >
          <input
            type="radio"
            name="source"
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="sr-only"
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

/** What solid and dashed mean. */
export function Legend() {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-dense text-ink-soft">
      <Stroke isCovered>covered</Stroke>
      <Stroke isCovered={false}>not covered</Stroke>
    </p>
  )
}

function Stroke({ isCovered, children }: { isCovered: boolean; children: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <svg width={36} height={10} aria-hidden className={isCovered ? 'text-ink-soft' : 'text-caution'}>
        <path
          d="M1 5H28"
          stroke="currentColor"
          strokeWidth={1.5}
          strokeDasharray={isCovered ? undefined : '5 4'}
        />
        <path d="M28 1.5L35 5L28 8.5Z" stroke="currentColor" fill={isCovered ? 'currentColor' : 'none'} />
      </svg>
      {children}
    </span>
  )
}
