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
    <div className="flex min-w-0 items-center">
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
  const words = wordsOf(link, now)
  const phrase = wordsOf({ ...link, dataAt: null }, now)
  // a phone has no room for what is as it should be, and tells all else in a narrow column
  const icon = words === 'live' ? '' : 'max-tablet:hidden'
  return (
    <div
      title={ageOf(link, now)}
      className="tabular flex h-control min-w-0 items-center gap-2 px-1 text-dense text-ink-soft tablet:px-2 tablet:whitespace-nowrap"
    >
      {link.state === 'live' && (
        <span aria-hidden className={`${icon} size-2 shrink-0 rounded-full bg-fine`} />
      )}
      {link.state === 'catching-up' && (
        <RefreshCw size={14} aria-hidden className={`${icon} animate-spin text-ink-faint`} />
      )}
      {link.state === 'offline' && <CloudOff size={16} aria-hidden className={`${icon} text-caution`} />}
      <span
        aria-hidden={words === phrase}
        className={
          words === 'live'
            ? 'max-tablet:hidden'
            : 'max-tablet:line-clamp-4 max-tablet:text-[11px] max-tablet:leading-3'
        }
      >
        {words}
      </span>
      {/* how old the data is changes each second: that is not said anew */}
      <output className="sr-only">{phrase}</output>
    </div>
  )
}
