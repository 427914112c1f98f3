import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
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
  /** many of them, each as wide as its words: what has no room is scrolled to */
  isRow?: boolean
}

const SEGMENT =
  'tabular flex h-8 cursor-pointer items-center justify-center rounded-small px-1 font-medium text-dense text-ink-soft touch:h-10 data-disabled:opacity-50 data-focus-visible:outline-2 data-focus-visible:outline-focus data-hovered:text-ink data-selected:bg-surface data-selected:text-accent-strong data-selected:shadow-soft'

/** One of a few, side by side, each a word or two. Arrow keys walk them. */
export function Segments<Id extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
  isRow = false,
}: SegmentsProps<Id>) {
  return (
    <RadioGroup
      orientation="horizontal"
      value={value}
      onChange={(id) => onChange(id as Id)}
      isDisabled={isDisabled}
      className="flex min-w-0 flex-col"
    >
      <Label className={isLabelHidden ? 'sr-only' : 'pb-1 font-medium text-dense text-ink-soft'}>
        {label}
      </Label>
      <div className="flex rounded-small bg-sunken p-0.5">
        {options.map(({ id, text }) => (
          <Radio
            key={id}
            value={id}
            className={classNames(isRow ? 'flex-auto whitespace-nowrap' : 'min-w-0 flex-1', SEGMENT)}
          >
            {text}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
