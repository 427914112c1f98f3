import { TriangleAlert } from 'lucide-react'
import type { DamagedSpan } from '#machines/contracts/entities/devices.ts'
import { TimeSpan } from '../ui/time-span.tsx'

const MOST = 5

/** Says which spans of a device's record are damaged, so that a gap is not taken for silence. */
export function DamagedNotice({ spans }: { spans: readonly DamagedSpan[] }) {
  if (spans.length === 0) return null
  const more = spans.length - MOST
  return (
    <div role="status" className="flex gap-3 rounded-panel bg-surface p-4 shadow-soft">
      <TriangleAlert size={20} aria-hidden className="mt-0.5 shrink-0 text-error" />
      <div className="min-w-0">
        {spans.slice(0, MOST).map(({ from, to }) => (
          <p key={from}>
            The record of <TimeSpan from={from} to={to} /> of this device is damaged.
          </p>
        ))}
        {more > 0 && <p>And {more} more.</p>}
        <p className="pt-1 text-dense text-ink-soft">
          What is shown is all that can be read. The administrator of your server can restore it from a
          backup.
        </p>
      </div>
    </div>
  )
}
