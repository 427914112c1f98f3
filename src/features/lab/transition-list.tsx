import { useEffect, useRef } from 'react'
import type { DrawnState, DrawnTransition, Outline } from '#machines/testing/outline.ts'
import type { Pick } from '../../machine-chart/chart-svg.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Walked } from './models.ts'
import type { Source } from './sources.ts'

type Props = {
  walked: Walked
  outline: Outline
  sources: readonly Source[]
  picked: Pick | undefined
  onPick: (pick: Pick) => void
}

/** All that can be picked in the chart, for keys and screen readers: each state, and what leads out of it. */
export function TransitionList({ walked, outline, sources, picked, onPick }: Props) {
  const states = outline.states.filter(
    ({ name }) => name !== '' || outline.transitions.some(({ from }) => from === ''),
  )
  return (
    <table className="w-full text-dense">
      <caption className="sr-only">States and transitions of {outline.name}</caption>
      <thead className="sticky top-0 z-10 bg-surface text-ink-faint">
        <tr>
          <th scope="col" className="h-8 pl-4 text-left font-normal">
            States and transitions
          </th>
          {sources.map(({ id, short, title }) => (
            <th key={id} scope="col" title={title} className="w-10 font-normal last:w-13 last:pr-3">
              {short}
            </th>
          ))}
        </tr>
      </thead>
      {states.map((state) => (
        <tbody key={state.name}>
          <StateRow state={state} {...{ walked, sources, picked, onPick }} />
          {outline.transitions
            .filter(({ from }) => from === state.name)
            .map((one) => (
              <TransitionRow key={one.name} transition={one} {...{ walked, sources, picked, onPick }} />
            ))}
        </tbody>
      ))}
    </table>
  )
}

type RowProps = Omit<Props, 'outline'>

function StateRow({ state, walked, sources, picked, onPick }: RowProps & { state: DrawnState }) {
  const { name, title } = state
  const isPicked = picked?.kind === 'state' && picked.name === name
  if (name === '')
    return (
      <tr>
        <th scope="rowgroup" colSpan={sources.length + 1} className="h-9 pl-4 text-left font-semibold">
          In any state
        </th>
      </tr>
    )
  return (
    <Row
      isPicked={isPicked}
      onPick={() => onPick({ kind: 'state', name })}
      label={`State ${name}`}
      className="pt-1.5"
    >
      <span className="font-semibold">
        {name.slice(0, name.length - title.length)}
        {title}
      </span>
      <Marks sources={sources} walked={walked} kind="states" name={name} />
    </Row>
  )
}

function TransitionRow({
  transition,
  walked,
  sources,
  picked,
  onPick,
}: RowProps & { transition: DrawnTransition }) {
  const { name, on, condition, to } = transition
  const isPicked = picked?.kind === 'transition' && picked.name === name
  return (
    <Row isPicked={isPicked} onPick={() => onPick({ kind: 'transition', name })} label={name}>
      <span className="block pl-3">
        {on} <span className="text-ink-faint">{condition}</span>
        <span className="block text-ink-soft">{to.length === 0 ? 'stays' : `→ ${to.join(' and ')}`}</span>
      </span>
      <Marks sources={sources} walked={walked} kind="transitions" name={name} />
    </Row>
  )
}

type RowFrame = {
  isPicked: boolean
  label: string
  onPick: () => void
  className?: string
  children: [React.ReactNode, React.ReactNode]
}

function Row({ isPicked, label, onPick, className, children: [words, marks] }: RowFrame) {
  const row = useRef<HTMLTableRowElement>(null)
  // what is picked in the chart comes into view in the list
  useEffect(() => {
    if (isPicked) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isPicked])
  return (
    <tr
      ref={row}
      className={classNames('relative scroll-mt-9', isPicked ? 'bg-accent-soft' : 'hover:bg-hover')}
    >
      <th scope="row" className="p-0 text-left font-normal">
        <button
          type="button"
          aria-pressed={isPicked}
          aria-label={label}
          onClick={onPick}
          className={classNames(
            'min-h-7 w-full py-0.5 pl-4 text-left -outline-offset-2 after:absolute after:inset-0 touch:min-h-11',
            className,
          )}
        >
          {words}
        </button>
      </th>
      {marks}
    </tr>
  )
}

type MarksProps = { sources: readonly Source[]; walked: Walked; kind: 'states' | 'transitions'; name: string }

function Marks({ sources, walked, kind, name }: MarksProps) {
  return sources.map((source) => {
    const taken = source.of(walked)
    const count = taken === undefined ? undefined : (taken[kind][name] ?? 0)
    return (
      <td key={source.id} className="text-center last:pr-3">
        <Mark count={count} by={source.words} />
      </td>
    )
  })
}

/** Filled: covered. Hollow: not. A stroke: the source does not see it. */
function Mark({ count, by }: { count: number | undefined; by: string }) {
  if (count === undefined)
    return (
      <span className="text-ink-faint" title={`Not seen by ${by}`}>
        –<span className="sr-only">not seen</span>
      </span>
    )
  return (
    <span
      title={count > 0 ? `Covered by ${by}` : `Not covered by ${by}`}
      className={classNames(
        'inline-block size-2.5 rounded-full border-2 align-middle',
        count > 0 ? 'border-fine bg-fine' : 'border-caution',
      )}
    >
      <span className="sr-only">{count > 0 ? 'covered' : 'not covered'}</span>
    </span>
  )
}
