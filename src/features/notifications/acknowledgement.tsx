import { UserCheck } from 'lucide-react'
import { useRef, useState } from 'react'
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
  return (
    <div>
      {acknowledged === null && !isPast && <AcknowledgeForm {...props} />}
      {/* there before what it says, so that it is said */}
      <div role="status">{acknowledged && <By entry={entry} acknowledged={acknowledged} />}</div>
    </div>
  )
}

type ByProps = { entry: Notification; acknowledged: NonNullable<Notification['acknowledged']> }

function By({ entry, acknowledged }: ByProps) {
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
  const section = useRef<HTMLElement>(null)

  async function say(text: string): Promise<void> {
    setSending(true)
    setMessage(undefined)
    const form = section.current
    const entryButton = form?.closest('li')?.querySelector('button')
    const outcome = await acknowledge(entry, text)
    setSending(false)
    if (!outcome.isDone) return setMessage(outcome.message)
    // the form goes: keys go on with what it was part of
    const { activeElement, body } = document
    if (activeElement === body || form?.contains(activeElement)) entryButton?.focus()
  }

  return (
    <section ref={section} aria-label="Acknowledge">
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
