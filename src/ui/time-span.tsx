import { type Instant, writtenTime } from '../format/time.ts'
import { Time } from './time.tsx'

type TimeSpanProps = {
  from: Instant
  to: Instant
  /** one of the documents' formats, where these ask for it */
  as?: (at: Instant) => string
}

/** From when to when, each end to the second on hover: `21-11-2026 14:02 to 22-11-2026 14:02`. */
export function TimeSpan({ from, to, as = writtenTime }: TimeSpanProps) {
  return (
    <>
      <Time at={from} as={as} /> to <Time at={to} as={as} />
    </>
  )
}
