import { useState } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { notificationTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'

export type PassengerDialogProps = {
  entry: Notification
  check: NotificationActions['checkPassenger']
  onClose: () => void
}

/** A device was unplugged from a vehicle: whether somebody was in it tells a repair from a theft. */
export function PassengerDialog({ entry, check, onClose }: PassengerDialogProps) {
  const [isSending, setSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function answer(isPassenger: boolean): Promise<void> {
    if (isSending) return
    setSending(true)
    setMessage(undefined)
    const outcome = await check(entry, isPassenger)
    setSending(false)
    if (outcome.isDone) onClose()
    else setMessage(outcome.message)
  }

  return (
    <Dialog
      title="Passenger check"
      isOpen
      isRequired={isSending}
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button isDisabled={isSending} onPress={() => void answer(false)}>
            No, nobody was
          </Button>
          <Button kind="primary" isDisabled={isSending} onPress={() => void answer(true)}>
            Yes, somebody was
          </Button>
        </>
      }
    >
      <p>
        The device of <span className="font-medium">{entry.thingName}</span>
        {' was unplugged at '}
        <Time at={entry.createdAt} as={notificationTime} />. Was somebody in the vehicle?
      </p>
      <p role="alert" className="min-h-5 pt-2 text-dense text-error">
        {message}
      </p>
    </Dialog>
  )
}
