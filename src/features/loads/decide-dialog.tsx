import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Load } from '#machines/contracts/entities/loads.ts'
import { useLoadActions } from '../../actors/loads.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { TextField } from '../../ui/text-field.tsx'

/** characters */
const LONGEST = 1000

const WORDS = {
  release: {
    title: 'Release this load?',
    press: 'Release',
    says: 'The goods may be used. It stands in the record with your name and the reason.',
    hint: 'What the quality manager found, e.g. the maker’s stability data',
  },
  reject: {
    title: 'Reject this load?',
    press: 'Reject',
    says: 'The goods must not be used. It stands in the record with your name and the reason.',
    hint: 'What the quality manager found',
  },
} as const

/** Releases or rejects a load, with the reason; neither is taken back. */
export function DecideDialog({
  load: { _id, reference, words },
  decision,
  onClose,
}: {
  load: Load
  decision: 'release' | 'reject'
  onClose: () => void
}) {
  const actions = useLoadActions()
  const [reason, setReason] = useState('')
  const [tries, setTries] = useState(0)
  const isTried = tries > 0
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries > 0) focusFirstWrong(form.current)
  }, [tries])
  const { title, press, says, hint } = WORDS[decision]
  const fault =
    reason.trim() === '' ? 'Say why' : reason.length > LONGEST ? `At most ${LONGEST} characters` : undefined
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setTries(tries + 1)
    if (fault !== undefined || actions.isActing) return
    if (await actions[decision](_id, reason.trim())) onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={actions.isActing}
      closesBeside={false}
    >
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <p>
          <strong className="font-semibold">{reference}</strong>
          {`: ${words}.`}
        </p>
        <p className="text-ink-soft">{says}</p>
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          message={isTried ? fault : undefined}
          hint={hint}
          autoComplete="off"
          autoFocus
          isDisabled={actions.isActing}
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" isDisabled={actions.isActing} onPress={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            kind={decision === 'reject' ? 'danger' : 'primary'}
            isPending={actions.isActing}
            isDisabled={actions.isActing}
          >
            {press}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
