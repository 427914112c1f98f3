import { Bell as BellIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Live } from '../actors/root.ts'
import { useMarkRead, useUnread } from '../actors/use-mark-read.ts'
import { cappedCount } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PopUp } from '../ui/pop-up.tsx'
import { lazyPart } from './lazy-part.ts'

const TodaysNotifications = lazyPart(() => import('./todays-notifications.tsx'), <div className="min-h-40" />)
const WorstOpen = lazyPart(() => import('./incidents/worst-open.tsx'))

/** How many notifications nobody has looked at, and below it what is open and what happened today. */
export function Bell({ live: { desk, notifications, past } }: { live: Live }) {
  const unread = cappedCount(useUnread(notifications))
  const [isOpen, setOpen] = useState(false)
  useMarkRead(notifications, isOpen)

  function open(willOpen: boolean): void {
    setOpen(willOpen)
    if (willOpen) notifications.todays.send({ type: 'view' })
  }

  return (
    <PopUp
      label="Notifications of today"
      placement="bottom end"
      className="w-128"
      onOpenChange={open}
      button={
        <IconButton aria-label={unread === '' ? 'Notifications' : `Notifications, ${unread} new`}>
          <BellIcon size={18} aria-hidden />
          {unread !== '' && (
            <span
              aria-hidden
              className="tabular absolute top-0.5 left-1/2 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent px-1 font-semibold text-[10px] text-on-accent ring-2 ring-ground"
            >
              {unread}
            </span>
          )}
        </IconButton>
      }
    >
      {({ close }) => {
        // what it tells is of now
        const leave = (): void => {
          close()
          past.get()?.actor.send({ type: 'leave' })
        }
        return (
          <>
            <WorstOpen desk={desk} onLeave={leave} />
            <h2 className="flex h-control shrink-0 items-center px-4 pt-1 font-semibold">Today</h2>
            <TodaysNotifications feed={notifications.todays} onLeave={leave} />
            <Link
              href="/notifications"
              onClick={leave}
              className="flex h-control shrink-0 items-center justify-center border-line border-t font-medium text-accent -outline-offset-2 hover:bg-hover"
            >
              View All
            </Link>
          </>
        )
      }}
    </PopUp>
  )
}
