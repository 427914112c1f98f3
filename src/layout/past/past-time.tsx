import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRoot } from '../../actors/use-root.ts'
import { exactTime, type Instant } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { pastPath } from './past-path.ts'

type PastLinkProps = {
  at: Instant
  /** the device it is of */
  imei?: string
  className?: string
  children: ReactNode
}

/** So far back one looks, ms. */
const FARTHEST = 31 * 86_400_000

/** Words of a time: pressed, the dashboard as it was then; as they are where nobody can look at it any more, or yet. */
export function PastLink({ at, imei, className, children }: PastLinkProps) {
  const { clock } = useRoot()
  const now = clock.now()
  const when = new Date(at).getTime()
  if (!(when <= now && when > now - FARTHEST)) return <span className={className}>{children}</span>
  return (
    <Link
      href={pastPath(at, now, imei)}
      title={`Look back to ${exactTime(at)}`}
      className={`underline decoration-dotted underline-offset-2 hover:decoration-solid ${className ?? ''}`}
    >
      {children}
    </Link>
  )
}

type PastTimeProps = Omit<PastLinkProps, 'children'> & { as?: (at: Instant) => string }

/** A time that is past: pressed, the dashboard as it was then. */
export function PastTime({ as, ...link }: PastTimeProps) {
  return (
    <PastLink {...link}>
      <Time at={link.at} {...(as && { as })} />
    </PastLink>
  )
}
