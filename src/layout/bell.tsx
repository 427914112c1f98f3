import { Bell as BellIcon } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Link } from 'wouter'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { useAnswer } from '../actors/use-answer.ts'
import { useRoot, useSignedIn } from '../actors/use-root.ts'
import { notificationTime, today } from '../format/time.ts'
import { cappedCount } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

/** Most that the popover lists; the rest is behind View All. */
const SHOWN = 20

/** Today's notifications: how many on the bell, the newest of them below it. */
export function Bell() {
  const { clock } = useRoot()
  const { user } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const [day, setDay] = useState(() => today(clock.now()))
  const asked = useAnswer(NOTIFICATION_CALLS.notifications, {
    params: { groupId: user.groupId },
    body: { ...day, skip: 0, limit: SHOWN },
  })
  const count = asked.state === 'ready' ? cappedCount(asked.answer.notificationsCount) : ''

  function open(willOpen: boolean): void {
    setOpen(willOpen)
    if (!willOpen) return
    setDay(today(clock.now()))
    asked.ask()
  }

  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
      <IconButton aria-label={count === '' ? 'Notifications' : `Notifications, ${count} today`}>
        <BellIcon size={18} aria-hidden />
        {count !== '' && (
          <span
            aria-hidden
            className="tabular absolute top-0.5 left-1/2 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-[10px] text-on-accent ring-2 ring-ground"
          >
            {count}
          </span>
        )}
      </IconButton>
      <Popover placement="bottom end" className="w-96">
        <Dialog aria-label="Notifications of today" className="flex min-h-0 flex-col outline-none">
          <h2 className="px-4 pt-3 pb-2 font-semibold">Today</h2>
          <div className="max-h-96 min-h-40 overflow-y-auto">
            {asked.state === 'loading' && <SkeletonRows rows={4} />}
            {asked.state === 'failed' && (
              <ErrorState action={<Button onPress={asked.ask}>Try again</Button>}>
                Today's notifications did not come: {asked.message}
              </ErrorState>
            )}
            {asked.state === 'ready' && <Today notifications={asked.answer.notifications} />}
          </div>
          <Link
            href="/notifications"
            onClick={() => setOpen(false)}
            className="flex h-control items-center justify-center border-line border-t font-medium text-accent -outline-offset-2 hover:bg-hover"
          >
            View All
          </Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

function Today({ notifications }: { notifications: readonly Notification[] }) {
  if (notifications.length === 0)
    return <EmptyState title="No Notifications Yet!" icon={<BellIcon size={20} aria-hidden />} />
  return (
    <ul>
      {notifications.map(({ _id, name, thingName, message, createdAt }) => (
        <li key={_id} className="px-4 py-2">
          <div className="flex gap-3">
            <span className="min-w-0 flex-1 truncate font-medium">{thingName || name}</span>
            <time dateTime={createdAt} className="shrink-0 text-dense text-ink-faint">
              {notificationTime(Date.parse(createdAt))}
            </time>
          </div>
          <p className="text-dense text-ink-soft">{message || name}</p>
        </li>
      ))}
    </ul>
  )
}
