import { useActor } from '@xstate/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { string } from 'superstruct'
import { Link } from 'wouter'
import { inspect } from '../../actors/inspection.ts'
import { forgotPasswordIn } from '../../actors/password-forms.ts'
import { useDraft } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { TextField } from '../../ui/text-field.tsx'
import { Outcome } from './outcome.tsx'
import { Outside } from './outside.tsx'
import { WayBack } from './way-back.tsx'

const DRAFT = 'email'

/** Asking for a mail to set a new password. */
export default function ForgotPassword() {
  const root = useRoot()
  const form = useRef<HTMLFormElement>(null)
  const machine = useMemo(
    () =>
      forgotPasswordIn(root).provide({
        actions: { focusOnEmail: () => form.current?.querySelector('input')?.focus() },
      }),
    [root],
  )
  const [state, send] = useActor(machine, { inspect })
  const { email, message } = state.context
  useDraft(DRAFT, () => email)
  const [kept] = useState(() => root.drafts.kept(DRAFT, string()))
  useEffect(() => {
    if (kept !== undefined) send({ type: 'email.changed', email: kept })
  }, [kept, send])
  const isSending = state.matches('sending')

  if (state.matches('sent')) return <Sent email={email.trim()} onAgain={() => send({ type: 'again' })} />
  return (
    <Outside title="Forgot Password">
      <h1 className="font-semibold text-figure tracking-tight">Forgot Password</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        We send a link to your e-mail address. With it you choose a new password.
      </p>
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          send({ type: 'submit' })
        }}
        className="flex flex-col"
      >
        <TextField
          label="Email"
          name="email"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          readOnly={isSending}
          message={message ?? undefined}
          onChange={(typed) => send({ type: 'email.changed', email: typed })}
        />
        <button type="submit" aria-disabled={isSending} className={buttonLook('primary', 'mt-2')}>
          {isSending ? 'Sending…' : 'Reset Password'}
        </button>
      </form>
      <WayBack />
    </Outside>
  )
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <Outside title="Forgot Password">
      <Outcome
        title="Request received"
        action={
          <>
            <Link href={`/confirm-code/${encodeURIComponent(email)}`} className={buttonLook('primary')}>
              I have a code
            </Link>
            <button type="button" className={buttonLook('plain')} onClick={onAgain}>
              Send again
            </button>
          </>
        }
      >
        If <span className="font-medium text-ink">{email}</span> belongs to an account, a mail is on its way
        with a link and a code. Look among unwanted mail too.
      </Outcome>
      <WayBack />
    </Outside>
  )
}
