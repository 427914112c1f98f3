import { CloudOff, RefreshCw, RotateCw } from 'lucide-react'
import type { LinkStatus } from '../actors/link-status.ts'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { useNow } from '../ui/clock-context.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { ageOf, canRetry, wordsOf } from './link-words.ts'

/**
 * How live the screen is, in words: live · catching up · offline since 14:02, with the age of the data. Who does not want
 * to wait for the next try presses the button.
 */
export function LinkIndicator() {
  const root = useRoot()
  const link = useStore(root.link)
  const live = useStore(root.live)
  return (
    <div className="flex items-center">
      <Liveness link={link} />
      {live && canRetry(link) && (
        <Tooltip text="Try again now">
          <IconButton aria-label="Try again now" onPress={live.feed.retry}>
            <RotateCw size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      )}
    </div>
  )
}

function Liveness({ link }: { link: LinkStatus }) {
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
      {link.state === 'offline' && <CloudOff size={16} aria-hidden className="text-caution" />}
      <span className="hidden tablet:inline">{wordsOf(link, now)}</span>
      <span className="sr-only tablet:hidden">{wordsOf(link, now)}</span>
    </output>
  )
}
