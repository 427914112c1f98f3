import { useContext, useSyncExternalStore } from 'react'
import { type Instant, relativeTime } from '../format/time.ts'
import { ClockContext, onEachBeat } from './clock-context.ts'
import { Time } from './time.tsx'

/** How long ago something was, with the exact time on hover. */
export function RelativeTime({ at, className }: { at: Instant; className?: string }) {
  return (
    <Time at={at} className={className}>
      <Age at={new Date(at).getTime()} />
    </Time>
  )
}

/** How long ago something was, in words alone: drawn anew when they are others, without what stands around them. */
export function Age({ at }: { at: number }) {
  const clock = useContext(ClockContext)
  return useSyncExternalStore(eachSecond, () => relativeTime(at, clock.now()))
}

const eachSecond = (renew: () => void): (() => void) => onEachBeat(1000, renew)
