import { type FormEvent, type ReactNode, useState } from 'react'
import type { SigningOff, SignOffMeaning } from '#machines/contracts/entities/sign-off.ts'
import { MEANING_WORDS } from '#machines/rules/sign-off-words.ts'
import { wordsOf } from '../actors/failure-words.ts'
import { faultAt } from '../actors/save-result.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Segments } from '../ui/segments.tsx'
import { TextField } from '../ui/text-field.tsx'

export type SignOffDialogProps = {
  title: string
  /** what is signed, and what that does */
  children: ReactNode
  /** what signing can mean here, one at least */
  meanings: readonly SignOffMeaning[]
  /** whose name stands beside it */
  name: string
  /** on the button, e.g. Close the case */
  act: string
  /** what the signature is for; rejects with what the server refused */
  sign: (signing: SigningOff) => Promise<void>
  onClose: () => void
}

type Faults = Partial<Record<keyof SigningOff, string>>

/** Signs with the password once more: why, and what it means. While it is on its way it stays open, and says what was wrong. */
export function SignOffDialog({ title, children, meanings, name, act, sign, onClose }: SignOffDialogProps) {
  const [meaning, setMeaning] = useState(meanings[0] as SignOffMeaning)
  const [reason, setReason] = useState('')
  const [password, setPassword] = useState('')
  const [faults, setFaults] = useState<Faults>({})
  const [failure, setFailure] = useState<string>()
  const [isSigning, setSigning] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isSigning) return
    const missing: Faults = {
      ...(reason.trim() === '' && { reason: 'Please say why' }),
      ...(password === '' && { password: 'Please enter your password' }),
    }
    setFaults(missing)
    setFailure(undefined)
    if (Object.keys(missing).length > 0) return focusOn(event.currentTarget, missing)
    setSigning(true)
    try {
      await sign({ reason: reason.trim(), meaning, password })
      onClose()
    } catch (error) {
      const wrong = faultAt(error)
      setPassword('')
      if (wrong?.path === 'password' || wrong?.path === 'reason') setFaults({ [wrong.path]: wrong.message })
      else setFailure(wordsOf(error))
    } finally {
      setSigning(false)
    }
  }

  return (
    <Dialog
      title={title}
      isOpen
      isRequired={isSigning}
      closesBeside={false}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-1">
        <div className="pb-2 text-ink-soft">{children}</div>
        {meanings.length > 1 ? (
          <Segments
            label="What it means"
            options={meanings.map((id) => ({ id, text: MEANING_WORDS[id] }))}
            value={meaning}
            onChange={setMeaning}
            isDisabled={isSigning}
          />
        ) : (
          <p>
            {'It means: '}
            <strong className="font-semibold">{MEANING_WORDS[meaning]}</strong>
          </p>
        )}
        <TextField
          label="Why"
          name="reason"
          value={reason}
          onChange={setReason}
          message={faults.reason}
          maxLength={1000}
          autoFocus
          isDisabled={isSigning}
          className="pt-3"
        />
        <PasswordField
          label={`Your password, as ${name}`}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          message={faults.password}
          isDisabled={isSigning}
        />
        <p role="alert" className="min-h-5 text-dense text-error">
          {failure}
        </p>
        <div className="flex justify-end gap-2 pt-1">
          <Button kind="quiet" isDisabled={isSigning} onPress={onClose}>
            Cancel
          </Button>
          <Button kind={meaning === 'rejected' ? 'danger' : 'primary'} type="submit" isPending={isSigning}>
            {isSigning ? 'Signing…' : act}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function focusOn(form: EventTarget & Element, faults: Faults): void {
  const first = faults.reason === undefined ? 'password' : 'reason'
  form.querySelector<HTMLInputElement>(`input[name=${first}]`)?.focus()
}
