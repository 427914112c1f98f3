import { CloudOff, RefreshCw } from 'lucide-react'
import type { LinkStatus } from '../actors/link-status.ts'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { clockTime, relativeTime } from '../format/time.ts'
import { useNow } from '../ui/clock-context.ts'

/** Data older than this is no longer called live without saying how old it is, ms. */
const FRESH = 15_000

/** How live the screen is, in words: live · catching up · offline since 14:02, with the age of the data. */
export function LinkIndicator() {
  const link = useStore(useRoot().link)
  const now = useNow()
  return (
    <output
      aria-live="polite"
      title={titleOf(link, now)}
      className="tabular flex h-control items-center gap-2 px-1 text-dense whitespace-nowrap text-ink-soft tablet:px-2"
    >
      {link.state === 'live' && <span aria-hidden className="size-2 rounded-full bg-fine" />}
      {link.state === 'catching-up' && (
        <RefreshCw size={14} aria-hidden className="animate-spin text-ink-faint" />
      )}
      {link.state === 'offline' && <CloudOff size={16} aria-hidden className="text-damp" />}
      <span className="hidden tablet:inline">{wordsOf(link, now)}</span>
      <span className="sr-only tablet:hidden">{wordsOf(link, now)}</span>
    </output>
  )
}

/** What the indicator says. `now`: epoch ms by the server's clock. */
export function wordsOf({ state, since, dataAt }: LinkStatus, now: number): string {
  if (state === 'offline') return since === null ? 'offline' : `offline since ${clockTime(since)}`
  if (state === 'catching-up') return 'catching up'
  if (dataAt !== null && now - dataAt > FRESH) return `live, data ${relativeTime(dataAt, now)}`
  return 'live'
}

function titleOf({ dataAt }: LinkStatus, now: number): string {
  return dataAt === null ? 'No data yet' : `Newest data: ${relativeTime(dataAt, now)}`
}
