import { useId } from 'react'
import { classNames } from './class-names.ts'

export type SegmentsProps<Id extends string> = {
  label: string
  /** the label is plain from what is around it: said, not shown */
  isLabelHidden?: boolean
  options: readonly { id: Id; text: string }[]
  /** null: none of them */
  value: Id | null
  onChange: (id: Id) => void
  isDisabled?: boolean
  /** many of them, each as wide as its words: what has no room stands in a second row */
  isRow?: boolean
}

const SEGMENT =
  'tabular relative flex h-8 cursor-pointer items-center justify-center rounded-small px-1 font-medium text-dense text-ink-soft hover:text-ink touch:h-10 has-checked:bg-surface has-checked:text-accent-strong has-checked:shadow-soft has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-focus'

/** One of a few, side by side, each a word or two. Arrow keys walk them: they are the browser's own, as the first page has them. */
export function Segments<Id extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
  isRow = false,
}: SegmentsProps<Id>) {
  const name = useId()
  return (
    <div role="radiogroup" aria-labelledby={`${name}-label`} className="flex min-w-0 flex-col">
      <span
        id={`${name}-label`}
        className={isLabelHidden ? 'sr-only' : 'pb-1 font-medium text-dense text-ink-soft'}
      >
        {label}
      </span>
      <div className={classNames('flex rounded-small bg-sunken p-0.5', isRow && 'flex-wrap')}>
        {options.map(({ id, text }) => (
          <label
            key={id}
            className={classNames(isRow ? 'flex-auto whitespace-nowrap' : 'min-w-0 flex-1', SEGMENT)}
          >
            <input
              type="radio"
              name={name}
              value={id}
              checked={id === value}
              disabled={isDisabled}
              onChange={() => onChange(id)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-small outline-none"
            />
            {text}
          </label>
        ))}
      </div>
    </div>
  )
}
