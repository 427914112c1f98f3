import { Bell as BellIcon, Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { Link } from 'wouter'
import type { Live } from '../actors/root.ts'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { useSeeing, useUnread } from '../actors/use-seeing.ts'
import { cappedCount } from '../ui/badge.tsx'
import { iconButtonLook } from '../ui/button-look.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { TodaysNotifications } from './todays-notifications.tsx'

/** How many notifications nobody has looked at, and today's below it. */
export function Bell({ live: { notifications } }: { live: Live }) {
  const unread = cappedCount(useUnread(notifications))
  const [isOpen, setOpen] = useState(false)
  useSeeing(notifications, isOpen)

  function open(willOpen: boolean): void {
    setOpen(willOpen)
    if (willOpen) notifications.todays.send({ type: 'view' })
  }

  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
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
      <Popover placement="bottom end" className="w-96">
        <Dialog aria-label="Notifications of today" className="flex min-h-0 flex-col outline-none">
          <div className="flex items-center pt-1 pr-2 pl-4">
            <h2 className="flex-1 font-semibold">Today</h2>
            <BuzzerSwitch />
          </div>
          <TodaysNotifications feed={notifications.todays} onLeave={() => setOpen(false)} />
          <Link
            href="/notifications"
            onClick={() => setOpen(false)}
            className="flex h-control shrink-0 items-center justify-center border-line border-t font-medium text-accent -outline-offset-2 hover:bg-hover"
          >
            View All
          </Link>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** Whether this device may sound the buzzer. Whether one is told by it at all is among one's own settings. */
function BuzzerSwitch() {
  const { preferences, sound } = useRoot()
  const { sound: isOn = false } = useStore(preferences)
  const Icon = isOn ? Volume2 : VolumeX
  return (
    <Tooltip text={isOn ? 'The buzzer sounds on this device' : 'The buzzer is silent on this device'}>
      <ToggleButton
        aria-label="Buzzer on this device"
        isSelected={isOn}
        onChange={(isAllowed) => {
          preferences.set({ ...preferences.get(), sound: isAllowed })
          if (!isAllowed) return
          sound.allow()
          sound.buzz()
        }}
        className={iconButtonLook()}
      >
        <Icon size={16} aria-hidden />
      </ToggleButton>
    </Tooltip>
  )
}
