import { History, X } from 'lucide-react'
import { useLocation } from 'wouter'
import { SHIFT_CALLS } from '#machines/contracts/calls/shift-calls.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useLastVisit } from '../../actors/use-last-visit.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { spokenTime } from '../../format/spoken-time.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { shiftPath } from './shift-address.ts'
import { countWords } from './shift-words.ts'

/** Under the header for whoever comes back: what happened meanwhile, in one line, and the way to all of it. */
export default function SinceYouLeft() {
  const { left, seen } = useLastVisit()
  const [path] = useLocation()
  return left === null || path === '/shift' ? null : <Line key={left} left={left} onSeen={seen} />
}

function Line({ left, onSeen }: { left: number; onSeen: () => void }) {
  const { goTo } = useRoot()
  const { groupId } = useSignedIn().user
  const { answer } = useKeptAnswer(
    SHIFT_CALLS.shiftSummary,
    { params: { groupId }, query: { since: new Date(left).toISOString() } },
    { isBackground: true },
  )
  const when = ` on ${spokenTime(left)}`
  const happened = answer ? `: ${countWords(answer.counts)}.` : ''
  return (
    <aside
      aria-label="Since you left"
      className="flex min-h-14 shrink-0 items-center gap-x-3 bg-sunken py-1 pr-2 pl-4 desk:pl-5 print:hidden"
    >
      <History size={16} aria-hidden className="shrink-0 text-ink-soft" />
      <p
        role="status"
        className="tabular min-w-0 flex-1 py-1 line-clamp-2"
        // two lines of it are shown
        title={`Since you left${when}${happened}`}
      >
        <span className="font-semibold">
          Since you left<span className="max-tablet:sr-only">{when}</span>
        </span>
        {happened}
      </p>
      <div className="ml-auto flex gap-1">
        <Button
          kind="quiet"
          onPress={() => {
            onSeen()
            goTo(shiftPath(left))
          }}
        >
          Show
        </Button>
        <IconButton aria-label="Dismiss" onPress={onSeen}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
    </aside>
  )
}
