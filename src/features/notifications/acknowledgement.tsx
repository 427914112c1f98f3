import { UserCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { exactTime, notificationTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { fieldFrame, fieldInput } from '../../ui/text-field.tsx'

export type AcknowledgementProps = { entry: Notification; acknowledge: NotificationActions['acknowledge'] }

/** Who takes care of a violation and since when; while nobody does, how to say that one does. */
export function Acknowledgement({ entry, acknowledge }: AcknowledgementProps) {
  const { acknowledged } = entry
  if (acknowledged === null) return <AcknowledgeForm entry={entry} acknowledge={acknowledge} />
  const { userName, comment, createdAt } = acknowledged
  const at = Date.parse(createdAt)
  return (
    <div className="flex gap-2">
      <UserCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <p className="min-w-0 break-words">
        Acknowledged by <span className="font-medium">{userName}</span> since{' '}
        <time dateTime={createdAt} title={exactTime(at)}>
          {notificationTime(at)}
        </time>
        {comment !== '' && `: ${comment}`}
      </p>
    </div>
  )
}

function AcknowledgeForm({ entry, acknowledge }: AcknowledgementProps) {
  const [comment, setComment] = useState('')
  const [isSending, setSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setMessage(undefined)
    const outcome = await acknowledge(entry, comment.trim())
    setSending(false)
    if (!outcome.isDone) setMessage(outcome.message)
  }

  return (
    <div>
      <form onSubmit={(event) => void submit(event)} className="flex items-start gap-2">
        <div className={`${fieldFrame} min-w-0 flex-1`}>
          <input
            aria-label="What you do about it"
            placeholder="What you do about it"
            value={comment}
            maxLength={2000}
            onChange={(event) => setComment(event.target.value)}
            className={fieldInput}
          />
        </div>
        <Button type="submit" kind="primary" isPending={isSending}>
          Acknowledge
        </Button>
      </form>
      <p className="pt-1 text-dense text-ink-soft">
        Everybody sees that you take care of it. The same again does not shout, unless it gets worse.
      </p>
      {message !== undefined && (
        <p role="alert" className="pt-1 text-dense text-hot">
          {message}
        </p>
      )}
    </div>
  )
}
