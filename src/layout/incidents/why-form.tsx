import type { FormEvent } from 'react'
import type { DialogKind } from '#machines/incident-action/incident-action.machine.ts'
import { Button } from '../../ui/button.tsx'
import { fieldFrame, fieldInput } from '../../ui/text-field.tsx'

/** What is said most; anything else is typed. */
const REASONS = ['Door open', 'Defrost', 'Loading', 'Repair on its way', 'Sensor fault', 'Empty, no goods']
/** The same of a device that is lost. */
const REASONS_LOST = [
  'No coverage',
  'Parked, battery off',
  'In the workshop',
  'Tracker fault',
  'Out of service',
]
const LEGENDS = {
  acknowledge:
    'Why is it so? Everybody sees that you take care of it. The same again does not shout, unless it gets worse.',
  lost: 'Why is it so? Everybody sees that you take care of it.',
  shelve: 'Why is it known? With the reason it is shelved.',
}

export type WhyFormProps = {
  kind: DialogKind
  text: string
  onText: (text: string) => void
  onSay: (text: string) => void
  /** it is of devices that are lost */
  isLost?: boolean
  /** it is where one goes on: its first field has the focus */
  isFocused?: boolean
  /** what was said is on its way */
  isSending?: boolean
}

/** Why an incident is acknowledged or shelved, in one press or in words of one's own; or what is said of it. */
export function WhyForm(props: WhyFormProps) {
  const { kind, text, onText, onSay, isLost = false, isFocused = false, isSending = false } = props
  const label = kind === 'comment' ? 'Your comment' : 'Another reason'
  const reason = text.trim()
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (reason !== '' && !isSending) onSay(reason)
  }
  return (
    <div className="flex flex-col gap-3">
      {kind !== 'comment' && (
        <fieldset>
          <legend className="pb-2 text-ink-soft">
            {LEGENDS[isLost && kind === 'acknowledge' ? 'lost' : kind]}
          </legend>
          <div className="flex flex-wrap gap-2">
            {(isLost ? REASONS_LOST : REASONS).map((reason, i) => (
              <Button
                key={reason}
                autoFocus={isFocused && i === 0}
                isDisabled={isSending}
                onPress={() => onSay(reason)}
              >
                {reason}
              </Button>
            ))}
          </div>
        </fieldset>
      )}
      <form onSubmit={submit} className="flex gap-2">
        <div className={`${fieldFrame} min-w-0 flex-1`}>
          <input
            aria-label={label}
            placeholder={label}
            value={text}
            maxLength={kind === 'comment' ? 2000 : 200}
            onChange={(event) => onText(event.target.value)}
            className={fieldInput}
            // biome-ignore lint/a11y/noAutofocus: a comment is asked for, and this is where it goes
            autoFocus={isFocused && kind === 'comment'}
          />
        </div>
        <Button type="submit" kind="primary" isDisabled={reason === ''} isPending={isSending}>
          {BUTTONS[kind]}
        </Button>
      </form>
    </div>
  )
}

const BUTTONS: Record<DialogKind, string> = { acknowledge: 'Say so', shelve: 'Say so', comment: 'Post' }
