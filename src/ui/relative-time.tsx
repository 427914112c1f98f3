import { exactTime, relativeTime } from '../format/time.ts'
import { useNow } from './clock-context.ts'

/** How long ago something was, with the exact time on hover. `at`: epoch ms. No tab stop: lists are full of them. */
export function RelativeTime({ at, className }: { at: number; className?: string }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  )
}
