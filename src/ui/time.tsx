import type { ReactNode } from 'react'
import { exactTime, type Instant, writtenTime } from '../format/time.ts'

type TimeProps = {
  at: Instant
  /** one of the documents' formats, where these ask for it */
  as?: (at: Instant) => string
  className?: string | undefined
  /** in other words: how long ago, or how long */
  children?: ReactNode
}

/** When something was, to the second on hover. No tab stop: lists are full of them. */
export function Time({ at, as = writtenTime, className, children }: TimeProps) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)} className={className}>
      {children ?? as(at)}
    </time>
  )
}
