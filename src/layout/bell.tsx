import { Bell as BellIcon } from 'lucide-react'
import { useState } from 'react'
import type { Live } from '../actors/root.ts'
import { useMarkRead, useUnread } from '../actors/use-mark-read.ts'
import { cappedCount } from '../ui/badge.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { PopUp } from '../ui/pop-up.tsx'
import { lazyPart } from './lazy-part.ts'

const BellWindow = lazyPart(() => import('./bell-window.tsx'), <div className="min-h-40" />)

/** How many notifications nobody has looked at, and below it what is open and what happened today. */
export function Bell({ live }: { live: Live }) {
  const { notifications } = live
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
      {({ close }) => <BellWindow live={live} onClose={close} />}
    </PopUp>
  )
}
