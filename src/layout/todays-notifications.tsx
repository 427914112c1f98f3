import { Bell } from 'lucide-react'
import { useState } from 'react'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { useAnswer } from '../actors/use-answer.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { notificationTime, today } from '../format/time.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

/** Most that are listed; the rest is behind View All. */
const SHOWN = 20

/** Today's notifications, newest first: those the server tells, and `heard`, those that came over the live link. */
export function TodaysNotifications({ heard }: { heard: readonly Notification[] }) {
  const { clock } = useRoot()
  const { user } = useSignedIn()
  const [day] = useState(() => today(clock.now()))
  const asked = useAnswer(NOTIFICATION_CALLS.notifications, {
    params: { groupId: user.groupId },
    body: { ...day, skip: 0, limit: SHOWN },
  })

  if (asked.state === 'loading') return <SkeletonRows rows={4} className="min-h-40" />
  // A server that has no such list has no notifications of before; the first 404 is swallowed.
  if (asked.state === 'failed' && asked.status !== 404)
    return (
      <ErrorState action={<Button onPress={asked.ask}>Try again</Button>}>
        Today's notifications did not come: {asked.message}
      </ErrorState>
    )
  const told = asked.state === 'ready' ? asked.answer.notifications : []
  const known = new Set(told.map(({ _id }) => _id))
  const all = [...heard.filter(({ _id }) => !known.has(_id)), ...told].slice(0, SHOWN)

  return (
    <div className="max-h-96 min-h-40 overflow-y-auto">
      {all.length === 0 ? (
        <EmptyState title="No Notifications Yet!" icon={<Bell size={20} aria-hidden />} />
      ) : (
        <ul className="pb-2">
          {all.map((notification) => (
            <Entry key={notification._id} notification={notification} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Entry({ notification: { thingName, name, message, createdAt } }: { notification: Notification }) {
  return (
    <li className="px-4 py-2">
      <div className="flex gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{thingName || name}</span>
        <time dateTime={createdAt} className="shrink-0 text-dense text-ink-faint">
          {notificationTime(Date.parse(createdAt))}
        </time>
      </div>
      <p className="text-dense text-ink-soft">{message || name}</p>
    </li>
  )
}
