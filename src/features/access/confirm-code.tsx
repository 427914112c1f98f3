import { useMemo } from 'react'
import { Link, useParams } from 'wouter'
import { confirmCodeIn } from '../../actors/password-forms.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Outside } from './outside.tsx'
import { PasswordForm } from './password-form.tsx'
import { WayBack } from './way-back.tsx'

const labels = {
  password: 'New password',
  confirmPassword: 'Confirm password',
  submit: 'Set Password',
  submitting: 'Setting…',
}

/** A new password with the code of a mail. */
export default function ConfirmCode() {
  const root = useRoot()
  const params = useParams()
  const userName = decoded(params.userName ?? '')
  const machine = useMemo(() => confirmCodeIn(root, userName), [root, userName])
  return (
    <Outside title="Confirmation code">
      <h1 className="font-semibold text-figure tracking-tight">Confirmation code</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        Enter the code of six digits from the mail for{' '}
        <span className="font-medium break-all text-ink">{userName}</span>. You have none?{' '}
        <Link href="/forgot-password" className="font-medium text-accent hover:underline">
          Ask for a mail
        </Link>
      </p>
      <PasswordForm key={userName} machine={machine} needsCode labels={labels} userName={userName} />
      <WayBack />
    </Outside>
  )
}

/** The router leaves an @ of an address as it stands there. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
