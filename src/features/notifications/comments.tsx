import { useId } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { notificationTime } from '../../format/time.ts'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { SayForm } from './say-form.tsx'
import { type Typed, useTyped } from './use-typed.ts'

export type CommentsProps = {
  entry: Notification
  post: NotificationActions['comment']
  typed: Typed
}

/** What was said about a notification, oldest first, and a box to say more. */
export function Comments({ entry, post, typed }: CommentsProps) {
  const id = useId()
  const isPast = useOnlyNow() !== undefined
  const name = `comment ${entry._id}`
  const [text, write] = useTyped(typed, name)

  if (isPast && entry.comments.length === 0) return null

  async function say(comment: string): ReturnType<CommentsProps['post']> {
    const outcome = await post(entry, comment)
    // what was typed while it was on its way stays
    if (outcome.isDone && typed.get(name)?.trim() === comment) write('')
    return outcome
  }

  return (
    <section aria-labelledby={`${id}-title`} className="flex flex-col gap-2">
      <h3 id={`${id}-title`} className="font-semibold">
        Comments
      </h3>
      {entry.comments.length > 0 && (
        <ul aria-label="Comments" className="flex flex-col gap-2">
          {entry.comments.map(({ _id, userName, comment, createdAt }) => (
            <li key={_id}>
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-medium">{userName}</span>
                <PastTime
                  at={createdAt}
                  imei={entry.thing}
                  as={notificationTime}
                  className="text-dense text-ink-faint"
                />
              </p>
              <p className="whitespace-pre-wrap break-words">{comment}</p>
            </li>
          ))}
        </ul>
      )}
      {!isPast && (
        <SayForm
          label="Comment"
          placeholder="Write a comment"
          text={text}
          onText={write}
          send={say}
          needsText
          button="Post"
        />
      )}
    </section>
  )
}
