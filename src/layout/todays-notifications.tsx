import { useSelector } from '@xstate/react'
import { Bell } from 'lucide-react'
import { Link } from 'wouter'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationFeed } from '../actors/notifications.ts'
import { whatOf } from '../format/notification-words.ts'
import { addressOf, notificationsAddress } from '../format/notifications-address.ts'
import { formatCount } from '../format/numbers.ts'
import { notificationTime, zoneName } from '../format/time.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { NotificationIcon } from './notification-icon.tsx'

/** Most that are listed; the rest is on the page of today's. */
const SHOWN = 20

/** Today's notifications, newest first; each leads to itself among those of its device. */
export function TodaysNotifications({ feed, onLeave }: { feed: NotificationFeed; onLeave: () => void }) {
  const { entries, count } = useSelector(feed, ({ context }) => context.listed)
  const { range } = useSelector(feed, ({ context }) => context.filters)
  const error = useSelector(feed, (state) => (state.matches('failed') ? state.context.error : null))
  const isThere = useSelector(feed, (state) => state.context.listed.asOf >= 0)

  if (error !== null)
    return (
      <ErrorState action={<Button onPress={() => feed.send({ type: 'retry' })}>Try again</Button>}>
        Today's notifications did not come: {error}
      </ErrorState>
    )
  if (!isThere) return <SkeletonRows rows={4} className="min-h-40" />
  return (
    <div className="max-h-96 min-h-30 shrink overflow-y-auto">
      {entries.length === 0 ? (
        <EmptyState title="No Notifications Yet!" icon={<Bell size={20} aria-hidden />} />
      ) : (
        <ul className="pb-2">
          {entries.slice(0, SHOWN).map((notification) => (
            <Entry key={notification._id} notification={notification} onLeave={onLeave} />
          ))}
          {count > SHOWN && (
            <li>
              <Link
                href={notificationsAddress({ range })}
                onClick={onLeave}
                className="block px-4 py-2 font-medium text-accent -outline-offset-2 hover:bg-hover"
              >
                {`and ${formatCount(count - SHOWN)} more today`}
              </Link>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function Entry({ notification, onLeave }: { notification: Notification; onLeave: () => void }) {
  const { thingName, createdAt, type, clearedAt } = notification
  return (
    <li>
      <Link
        href={addressOf(notification, zoneName)}
        onClick={onLeave}
        className="flex gap-3 px-4 py-2 -outline-offset-2 hover:bg-hover"
      >
        <span className="flex h-5 items-center">
          <NotificationIcon type={type} isOver={clearedAt !== null} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-medium">{thingName}</span>
            <Time at={createdAt} as={notificationTime} className="shrink-0 text-dense text-ink-faint" />
          </span>
          <span className="block text-dense text-ink-soft">{whatOf(notification)}</span>
        </span>
      </Link>
    </li>
  )
}
