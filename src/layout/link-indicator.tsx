import { CloudOff, RefreshCw } from 'lucide-react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { useNow } from '../ui/clock-context.ts'
import { ageOf, wordsOf } from './link-words.ts'

/** How live the screen is, in words: live · catching up · offline since 14:02, with the age of the data. */
export function LinkIndicator() {
  const link = useStore(useRoot().link)
  const now = useNow()
  return (
    <output
      aria-live="polite"
      title={ageOf(link, now)}
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
