import { ChevronRight, MapPin, MessageSquare, UserCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { coordinates } from '#machines/rules/figures.ts'
import { detailOf, lateOf, NOTIFICATION_WORDS } from '../../format/notification-words.ts'
import { listTime, relativeTime } from '../../format/time.ts'
import { NotificationIcon } from '../../layout/notification-icon.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Place } from '../../ui/place.tsx'
import { Time } from '../../ui/time.tsx'
import { INK, stateOf } from './entry-words.ts'

export type EntryProps = {
  entry: Notification
  now: number
  /** of its button */
  id: string
  /** the one that Tab comes to */
  isActive: boolean
  isOpen: boolean
  onToggle: () => void
  onLocate: () => void
  /** what it opens to */
  children: ReactNode
}

/** A notification: what happened to which device, where and when, what became of it. Pressed, it opens. */
export function Entry({ entry, now, id, isActive, isOpen, onToggle, onLocate, children }: EntryProps) {
  const { type, thingName, plateNumber, lat, lng, place, createdAt, clearedAt } = entry
  const late = lateOf(entry)
  const position = lat === null || lng === null ? null : { lat, lng }
  return (
    <>
      <div className={classNames('flex items-center pr-2', isOpen ? 'bg-accent-soft/50' : 'hover:bg-hover')}>
        <button
          type="button"
          id={id}
          tabIndex={isActive ? 0 : -1}
          aria-expanded={isOpen}
          aria-controls={`${id}-details`}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-start gap-3 py-2.5 pl-3 text-left -outline-offset-2 desk:items-center"
        >
          <ChevronRight
            size={16}
            aria-hidden
            className={classNames(
              'mt-0.5 shrink-0 text-ink-faint transition-transform duration-150 desk:mt-0',
              isOpen && 'rotate-90',
            )}
          />
          <span className="mt-0.5 desk:mt-0">
            <NotificationIcon type={type} isOver={clearedAt !== null} />
          </span>
          <span className="flex min-w-0 flex-1 flex-col desk:flex-row desk:items-center desk:gap-4">
            <span className="min-w-0 desk:flex-1">
              <span className="block truncate font-medium">{NOTIFICATION_WORDS[type]}</span>
              <span className="tabular block truncate text-dense text-ink-soft">{detailOf(entry)}</span>
              {late !== undefined && <span className="tabular block text-dense text-ink">{late}</span>}
            </span>
            <span className="flex min-w-0 flex-wrap gap-x-1.5 desk:block desk:w-40 wall:w-72">
              <span className="min-w-0 break-words desk:block desk:truncate">{thingName}</span>
              <span className="shrink-0 text-dense text-ink-faint desk:block">{plateNumber}</span>
            </span>
            <Became entry={entry} now={now} />
          </span>
          <Time at={createdAt} className="shrink-0 text-right text-dense text-ink-soft desk:w-34">
            <span className="block text-ink">{relativeTime(Date.parse(createdAt), now)}</span>
            <span className="hidden text-ink-faint tablet:block">{listTime(createdAt)}</span>
          </Time>
        </button>
        {position === null ? (
          <span className="ml-2 hidden w-44 px-2 text-dense text-ink-faint min-[1280px]:block">
            No position
          </span>
        ) : (
          <button
            type="button"
            aria-label={`${place || coordinates(position)}, Location Details`}
            tabIndex={isActive ? 0 : -1}
            onClick={onLocate}
            className="ml-2 inline-flex h-control min-w-control shrink-0 items-center justify-center gap-1.5 rounded-small px-2 text-accent-strong text-dense hover:bg-line min-[1280px]:w-44 min-[1280px]:justify-start"
          >
            <MapPin size={16} aria-hidden className="shrink-0" />
            <Place at={position} words={place} className="tabular hidden truncate min-[1280px]:inline" />
          </button>
        )}
      </div>
      {isOpen && (
        <div id={`${id}-details`} className="border-line border-b px-4 pt-2 pb-5 tablet:pl-14">
          {children}
        </div>
      )}
    </>
  )
}

/** Whether it is over, who takes care of it, whether it is the same again, how much is said of it. */
function Became({ entry, now }: { entry: Notification; now: number }) {
  const { acknowledged, isRepeat, comments, passengerCheck, type } = entry
  const state = stateOf(entry, now)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-dense text-ink-soft desk:w-36 min-[1280px]:w-44 wall:w-96">
      {state && (
        <span className={classNames('shrink-0', state.isOpen && `font-medium ${INK[type] ?? ''}`)}>
          {state.words}
        </span>
      )}
      {isRepeat && <span className="shrink-0">Repeat</span>}
      {passengerCheck && <span className="shrink-0 font-medium text-ink">Passenger check</span>}
      {acknowledged && (
        <span className="flex min-w-0 items-center gap-1">
          <UserCheck size={14} aria-hidden className="shrink-0 text-accent" />
          <span className="sr-only">Acknowledged by</span>
          <span className="truncate">{acknowledged.userName}</span>
        </span>
      )}
      {comments.length > 0 && (
        <span className="tabular flex shrink-0 items-center gap-1">
          <MessageSquare size={14} aria-hidden className="text-ink-faint" />
          {comments.length}
          <span className="sr-only">{comments.length === 1 ? 'comment' : 'comments'}</span>
        </span>
      )}
    </span>
  )
}
