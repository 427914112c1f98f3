import { TriangleAlert } from 'lucide-react'
import type { Part } from '#machines/director/doings.ts'
import { useDirectorState } from '../../actors/director.ts'

/** Why what was last tried in this part was not done. */
export function RefusalIn({ part }: { part: Part }) {
  const { refusal } = useDirectorState().context
  if (refusal?.part !== part) return null
  return (
    <p
      role="alert"
      className="flex items-start gap-2 rounded-small bg-error-soft px-3 py-2 text-dense text-error"
    >
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0">{refusal.message}</span>
    </p>
  )
}
