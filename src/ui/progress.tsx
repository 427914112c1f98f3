import type { ReactNode } from 'react'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { classNames } from './class-names.ts'

type ProgressProps = {
  'aria-label'?: string
  'aria-labelledby'?: string
  /** undefined: nobody knows how far it is */
  value: number | undefined
  /** 100 where left out; nothing to do counts as done */
  max?: number
  /** how far it is, in words; a percentage where left out */
  valueLabel?: string
  /** how bar and words stand to each other */
  className?: string
  /** of the bar itself */
  barClassName?: string
  /** before the bar: words, by whole percents */
  children?: (percent: number) => ReactNode
}

/** How far something is that takes a while. */
export function Progress({
  value,
  max = 100,
  className = '',
  barClassName = 'h-1.5 w-full',
  children,
  ...props
}: ProgressProps) {
  const isKnown = value !== undefined
  return (
    <ProgressBar
      {...props}
      isIndeterminate={!isKnown}
      value={value ?? 0}
      maxValue={Math.max(1, max)}
      className={className}
    >
      {({ percentage = 100 }) => (
        <>
          {children?.(Math.floor(percentage))}
          <span className={classNames('block overflow-hidden rounded-full bg-line', barClassName)}>
            <span
              className={classNames('block h-full rounded-full bg-accent', !isKnown && 'animate-breathe')}
              style={{ width: `${isKnown ? percentage : 100}%` }}
            />
          </span>
        </>
      )}
    </ProgressBar>
  )
}
