import { History } from 'lucide-react'
import { Link } from 'wouter'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { shellAddress } from '../shell-address.ts'

const MINUTE = 60_000

/** To the dashboard as it was when something of a device happened: at the first whole minute that shows it. @param at epoch ms */
export function LookBackLink({ at, imei }: { at: number; imei: string }) {
  const { clock } = useRoot()
  const shown = Math.ceil(at / MINUTE) * MINUTE
  const asOf = shown > clock.now() ? at : shown
  return (
    <Link
      href={`/?${shellAddress.write({ asOf, view: 'then', isWall: false }, `device=${imei}`)}`}
      className={buttonLook('quiet')}
    >
      <History size={16} aria-hidden />
      Look back
    </Link>
  )
}
