import { Link2 } from 'lucide-react'
import { copyFor } from '../../actors/copy-for.ts'
import { directorOf, useWorldStatus } from '../../actors/director.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { worldTime } from '../../format/time.ts'
import { classNames } from '../../ui/class-names.ts'
import { useNow } from '../../ui/clock-context.ts'
import { Time } from '../../ui/time.tsx'
import { linkWords } from './words.ts'

/** Hex digits of a hash that distinguish worlds at a glance. */
const SHORT = 8

/** Below every page of a simulated world, and in the drawer: which one it is and what time it is there; for who holds the
 * tools of the world also its seed and what came of it. */
export default function WorldFooter({ className }: { className?: string }) {
  const status = useWorldStatus()
  const hasTools = useStore(useRoot().director).hasTools === true
  return (
    <section
      aria-label="Simulated world"
      className={classNames(
        // below a page it is one line from the start: what stands above may not move when its words come
        'tabular flex min-h-7 shrink-0 flex-wrap items-center gap-x-4 overflow-hidden text-dense text-ink-faint tablet:flex-nowrap tablet:whitespace-nowrap',
        className,
      )}
    >
      {status && (
        <>
          <span title={status.story} className="min-w-0 truncate">
            {status.scenario}
          </span>
          {hasTools && <span>Seed {status.seed}</span>}
          {hasTools && <LogHash hash={status.logHash} />}
          <WorldClock pace={status.paused ? 'paused' : `×${status.speed}`} />
          {hasTools && <CopyLink />}
        </>
      )}
    </section>
  )
}

const pressable =
  'flex min-h-7 shrink-0 items-center gap-1 rounded-small hover:text-ink focus-visible:-outline-offset-2 touch:min-h-control'

function LogHash({ hash }: { hash: string }) {
  const root = useRoot()
  return (
    <button
      type="button"
      title={`What came of this world so far, as a hash: ${hash}. Press to copy it.`}
      onClick={() => void copyFor(root, hash, 'The log’s hash is copied')}
      className={pressable}
    >
      Log {hash.slice(0, SHORT)}
      <span className="sr-only">, copy the whole hash</span>
    </button>
  )
}

function WorldClock({ pace }: { pace: string }) {
  const now = useNow(500)
  return (
    <span>
      <Time at={now} as={worldTime} /> · {pace}
    </span>
  )
}

function CopyLink() {
  const root = useRoot()
  const copy = async (): Promise<void> => {
    const moment = await directorOf(root)
      .momentLink()
      .catch(() => undefined)
    if (moment === undefined) root.toasts.error('The world does not answer: there is no link to this moment')
    else await copyFor(root, moment.link, linkWords(moment))
  }
  return (
    <button type="button" onClick={() => void copy()} className={classNames(pressable, 'tablet:ml-auto')}>
      <Link2 size={14} aria-hidden />
      Copy link to this moment
    </button>
  )
}
