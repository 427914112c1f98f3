import { useSelector } from '@xstate/react'
import { useMemo } from 'react'
import { Redirect } from 'wouter'
import { resetIn } from '../../actors/password-forms.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Outside } from './outside.tsx'
import { PasswordForm } from './password-form.tsx'

const labels = {
  password: 'Set password',
  confirmPassword: 'Retype password',
  submit: 'Reset Password',
  submitting: 'Setting…',
}

/** A new password before one may go on; only for who was just told so at sign-in. */
export default function Reset() {
  const root = useRoot()
  const mustReset = useSelector(root.session, (state) => state.matches('reset'))
  const machine = useMemo(() => resetIn(root), [root])
  if (!mustReset) return <Redirect to="/login" replace />
  return (
    <Outside title="Reset password">
      <h1 className="font-semibold text-figure tracking-tight">Reset password</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        Your account needs a new password before you go on. Then sign in with it.
      </p>
      <PasswordForm machine={machine} labels={labels} />
      <button
        type="button"
        className={buttonLook('quiet', 'mt-2')}
        onClick={() => root.session.send({ type: 'sign-out' })}
      >
        Logout
      </button>
    </Outside>
  )
}
