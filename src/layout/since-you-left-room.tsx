import { useLocation } from 'wouter'
import { leftNow } from '../actors/use-last-visit.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'

/** As high as what tells whoever comes back what happened since, where it will come: the page below stays where it is. */
export default function SinceYouLeftRoom() {
  const { clock } = useRoot()
  const { _id } = useSignedIn().user
  const [path] = useLocation()
  return leftNow(_id, clock.now()) === null || path === '/shift' ? null : (
    <div aria-hidden className="h-14 shrink-0 bg-sunken print:hidden" />
  )
}
