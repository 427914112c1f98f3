import { type FormEvent, useId, useState } from 'react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { exactTime, notificationTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { fieldFrame, fieldInput } from '../../ui/text-field.tsx'

export type CommentsProps = {
  entry: Notification
  post: NotificationActions['comment']
  /** what was typed and not posted outlives the entry's being out of sight */
  drafts: Map<string, string>
}

/** What was said about a notification, oldest first, and a box to say more. */
export function Comments({ entry, post, drafts }: CommentsProps) {
  const id = useId()
  const [text, setText] = useState(drafts.get(entry._id) ?? '')
  const [isSending, setSending] = useState(false)
  const [message, setMessage] = useState<string>()

  function write(draft: string): void {
    setText(draft)
    drafts.set(entry._id, draft)
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const comment = text.trim()
    if (comment === '' || isSending) return
    setSending(true)
    setMessage(undefined)
    const outcome = await post(entry, comment)
    setSending(false)
    if (outcome.isDone) write('')
    else setMessage(outcome.message)
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
                <time
                  dateTime={createdAt}
                  title={exactTime(Date.parse(createdAt))}
                  className="text-dense text-ink-faint"
                >
                  {notificationTime(Date.parse(createdAt))}
                </time>
              </p>
              <p className="whitespace-pre-wrap break-words">{comment}</p>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={(event) => void submit(event)} className="flex items-start gap-2">
        <div className={`${fieldFrame} min-w-0 flex-1`}>
          <input
            aria-label="Comment"
            placeholder="Write a comment"
            value={text}
            maxLength={2000}
            onChange={(event) => write(event.target.value)}
            className={fieldInput}
          />
        </div>
        <Button type="submit" isPending={isSending}>
          Post
        </Button>
      </form>
      {message !== undefined && (
        <p role="alert" className="text-dense text-hot">
          {message}
        </p>
      )}
    </section>
  )
}
