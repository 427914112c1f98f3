import { UserCheck } from 'lucide-react'
import { string } from 'superstruct'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { useKeptState } from '../../actors/use-drafts.ts'
import { notificationTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'
import { SayForm } from './say-form.tsx'

export type AcknowledgementProps = { entry: Notification; acknowledge: NotificationActions['acknowledge'] }

/** Who takes care of a violation and since when; while nobody does, how to say that one does. */
export function Acknowledgement({ entry, acknowledge }: AcknowledgementProps) {
  const { acknowledged } = entry
  if (acknowledged === null) return <AcknowledgeForm entry={entry} acknowledge={acknowledge} />
  const { userName, comment, createdAt } = acknowledged
  return (
    <div className="flex gap-2">
      <UserCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
      <p className="min-w-0 break-words">
        Acknowledged by <span className="font-medium">{userName}</span> since{' '}
        <Time at={createdAt} as={notificationTime} />
        {comment !== '' && `: ${comment}`}
      </p>
    </div>
  )
}

function AcknowledgeForm({ entry, acknowledge }: AcknowledgementProps) {
  const [comment, setComment] = useKeptState(`acknowledgement ${entry._id}`, string(), '')
  return (
    <div>
      <SayForm
        label="What you do about it"
        placeholder="What you do about it"
        text={comment}
        onText={setComment}
        send={(text) => acknowledge(entry, text)}
        button="Acknowledge"
        kind="primary"
      >
        <p className="pt-1 text-dense text-ink-soft">
          Everybody sees that you take care of it. The same again does not shout, unless it gets worse.
        </p>
      </SayForm>
    </div>
  )
}
