import { useContext, useSyncExternalStore } from 'react'
import { exactTime, relativeTime } from '../format/time.ts'
import { ClockContext, onEachBeat } from './clock-context.ts'

/** How long ago something was, with the exact time on hover. `at`: epoch ms. No tab stop: lists are full of them. */
export function RelativeTime({ at, className }: { at: number; className?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)} className={className}>
      <Age at={at} />
    </time>
  )
}

/** How long ago something was, in words alone: drawn anew when they are others, without what stands around them. */
export function Age({ at }: { at: number }) {
  const clock = useContext(ClockContext)
  return useSyncExternalStore(eachSecond, () => relativeTime(at, clock.now()))
}

const eachSecond = (renew: () => void): (() => void) => onEachBeat(1000, renew)
