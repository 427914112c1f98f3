import { UserCheck } from 'lucide-react'
import { useState } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { notificationTime } from '../../format/time.ts'
import { WhyForm } from '../../layout/incidents/why-form.tsx'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { type Typed, useTyped } from './use-typed.ts'

export type AcknowledgementProps = {
  entry: Notification
  acknowledge: NotificationActions['acknowledge']
  typed: Typed
}

/** Who takes care of a violation and since when; while nobody does, how to say that one does. */
export function Acknowledgement(props: AcknowledgementProps) {
  const { entry } = props
  const { acknowledged } = entry
  const isPast = useOnlyNow() !== undefined
  if (acknowledged === null) return isPast ? null : <AcknowledgeForm {...props} />
  const { userName, comment, reason, createdAt } = acknowledged
  const why = [reason, comment].filter(Boolean).join(', ')
  return (
    <div className="flex gap-2">
      <UserCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <p className="min-w-0 break-words">
        Acknowledged by <span className="font-medium">{userName}</span> since{' '}
        <PastTime at={createdAt} imei={entry.thing} as={notificationTime} />
        {why !== '' && `: ${why}`}
      </p>
    </div>
  )
}

function AcknowledgeForm({ entry, acknowledge, typed }: AcknowledgementProps) {
  const [reason, setReason] = useTyped(typed, `acknowledgement ${entry._id}`)
  const [isSending, setSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function say(text: string): Promise<void> {
    setSending(true)
    setMessage(undefined)
    const outcome = await acknowledge(entry, text)
    setSending(false)
    if (!outcome.isDone) setMessage(outcome.message)
  }

  return (
    <section aria-label="Acknowledge">
      <WhyForm
        kind="acknowledge"
        text={reason}
        onText={setReason}
        onSay={(text) => void say(text)}
        isSending={isSending}
      />
      {message !== undefined && (
        <p role="alert" className="pt-1 text-dense text-error">
          {message}
        </p>
      )}
    </section>
  )
}
