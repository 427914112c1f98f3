import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { unreadOf } from '#machines/notification-feed/unread.ts'
import { followVisibility } from '../effects/attention.ts'
import type { Notifications } from './notifications.ts'

/** How many notifications the visitor has not seen. */
export function useUnread({ todays }: Notifications): number {
  return useSelector(todays, ({ context }) => unreadOf(context.unread))
}

/** What comes while its list is on screen is seen, unless the window is behind another. */
export function useMarkRead(notifications: Notifications, isOnScreen: boolean): void {
  const unread = useUnread(notifications)
  const [isVisible, setVisible] = useState(true)
  useEffect(() => followVisibility(document, setVisible), [])
  useEffect(() => {
    if (isOnScreen && isVisible && unread > 0) notifications.see()
  }, [notifications, isOnScreen, isVisible, unread])
}
