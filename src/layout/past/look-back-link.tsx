import { History } from 'lucide-react'
import { Link } from 'wouter'
import { useRoot } from '../../actors/use-root.ts'
import type { Instant } from '../../format/time.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { pastPath } from './past-path.ts'

/** To the dashboard as it was when something of a device happened. */
export function LookBackLink({ at, imei }: { at: Instant; imei?: string }) {
  const { clock } = useRoot()
  return (
    <Link href={pastPath(at, clock.now(), imei)} className={buttonLook('quiet')}>
      <History size={16} aria-hidden />
      Look back
    </Link>
  )
}
