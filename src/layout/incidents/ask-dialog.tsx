import { useSelector } from '@xstate/react'
import { type FormEvent, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import type { incidentActionMachine } from '#machines/incident-action/incident-action.machine.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Segments } from '../../ui/segments.tsx'
import { fieldFrame, fieldInput } from '../../ui/text-field.tsx'

/** What is said most; anything else is typed. */
const REASONS = ['Door open', 'Defrost', 'Loading', 'Repair on its way', 'Sensor fault', 'Empty, no goods']
const TIMES = [
  { id: '15', text: '15 min' },
  { id: '60', text: '1 h' },
  { id: '240', text: '4 h' },
  { id: '480', text: '8 h' },
  { id: '1440', text: '24 h' },
]
const TITLES = { acknowledge: 'Acknowledge', shelve: 'Shelve', comment: 'Comment' }

/** For how long, and why: what was pressed last is done. */
export function AskDialog({ action }: { action: ActorRefFrom<typeof incidentActionMachine> }) {
  const { kind, ids, minutes, error } = useSelector(action, ({ context }) => context)
  const state = useSelector(action, ({ value }) => value)
  const many = ids.length > 1 ? ` ${ids.length} violations` : ''
  return (
    <Dialog
      title={`${TITLES[kind]}${many}`}
      isOpen={state !== 'closed'}
      isRequired={state === 'doing'}
      onOpenChange={(isOpen) => !isOpen && action.send({ type: 'cancel' })}
    >
      {(state === 'why' || state === 'why shelve') && (
        <div className="flex flex-col gap-3">
          {state === 'why shelve' && (
            <>
              <Segments
                label="For how long?"
                options={TIMES}
                value={String(minutes)}
                onChange={(id) => action.send({ type: 'last', minutes: Number(id) })}
              />
              <p className="text-ink-soft">
                It is recorded and listed, told to nobody, and told once again if it still lasts then.
              </p>
            </>
          )}
          <Why kind={kind} onSay={(text) => action.send({ type: 'say', text })} />
        </div>
      )}
      {state === 'doing' && <p role="status">{`${TITLES[kind]}: on its way…`}</p>}
      {state === 'failed' && (
        <div className="flex flex-col gap-3">
          <p role="alert" className="text-error">
            {error}
          </p>
          <div className="flex gap-2">
            <Button kind="primary" autoFocus onPress={() => action.send({ type: 'retry' })}>
              Try again
            </Button>
            <Button onPress={() => action.send({ type: 'cancel' })}>Cancel</Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

function Why({ kind, onSay }: { kind: keyof typeof TITLES; onSay: (text: string) => void }) {
  const [text, setText] = useState('')
  const label = kind === 'comment' ? 'Your comment' : 'Another reason'
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() !== '') onSay(text.trim())
  }
  return (
    <div className="flex flex-col gap-3">
      {kind !== 'comment' && (
        <fieldset>
          <legend className="pb-2 text-ink-soft">
            {kind === 'shelve'
              ? 'Why is it known? With the reason it is shelved.'
              : 'Why is it so? Everybody sees that you take care of it.'}
          </legend>
          <div className="flex flex-wrap gap-2">
            {REASONS.map((reason, i) => (
              <Button key={reason} autoFocus={i === 0} onPress={() => onSay(reason)}>
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
            onChange={(event) => setText(event.target.value)}
            className={fieldInput}
            // biome-ignore lint/a11y/noAutofocus: a comment is asked for, and this is where it goes
            autoFocus={kind === 'comment'}
          />
        </div>
        <Button type="submit" kind="primary" isDisabled={text.trim() === ''}>
          {kind === 'comment' ? 'Post' : 'Say so'}
        </Button>
      </form>
    </div>
  )
}
