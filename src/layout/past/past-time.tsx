import { Link } from 'wouter'
import { useRoot } from '../../actors/use-root.ts'
import { exactTime, type Instant } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { pastPath } from './past-path.ts'

type PastTimeProps = {
  at: Instant
  /** the device it is of */
  imei?: string
  as?: (at: Instant) => string
  className?: string
}

/** A time that is past: pressed, the dashboard as it was then. */
export function PastTime({ at, imei, as, className }: PastTimeProps) {
  const { clock } = useRoot()
  return (
    <Link
      href={pastPath(at, clock.now(), imei)}
      title={`Look back to ${exactTime(at)}`}
      className={`underline decoration-dotted underline-offset-2 hover:decoration-solid ${className ?? ''}`}
    >
      <Time at={at} {...(as && { as })} />
    </Link>
  )
}
