import { type FormEvent, type ReactNode, useState } from 'react'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { fieldFrame, fieldInput } from '../../ui/text-field.tsx'

export type SayFormProps = {
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  /** asked with the text, without what is blank around it; not while it is on its way */
  send: (text: string) => ReturnType<NotificationActions['comment']>
  /** nothing is sent where nothing is said */
  needsText?: boolean
  button: string
  kind?: ButtonProps['kind']
  /** between the box and why it was not taken */
  children?: ReactNode
}

/** A line to say something in, with its button, and why it was not taken. */
export function SayForm(props: SayFormProps) {
  const {
    label,
    placeholder,
    text,
    onText,
    send,
    needsText = false,
    button,
    kind = 'plain',
    children,
  } = props
  const [isSending, setSending] = useState(false)
  const [message, setMessage] = useState<string>()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const comment = text.trim()
    if ((needsText && comment === '') || isSending) return
    setSending(true)
    setMessage(undefined)
    const outcome = await send(comment)
    setSending(false)
    if (!outcome.isDone) setMessage(outcome.message)
  }

  return (
    <>
      <form onSubmit={(event) => void submit(event)} className="flex items-start gap-2">
        <div className={`${fieldFrame} min-w-0 flex-1`}>
          <input
            aria-label={label}
            placeholder={placeholder}
            value={text}
            maxLength={2000}
            onChange={(event) => onText(event.target.value)}
            className={fieldInput}
          />
        </div>
        <Button type="submit" kind={kind} isPending={isSending}>
          {button}
        </Button>
      </form>
      {children}
      {message !== undefined && (
        <p role="alert" className="pt-1 text-dense text-error">
          {message}
        </p>
      )}
    </>
  )
}
