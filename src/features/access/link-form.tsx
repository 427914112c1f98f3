import { useState } from 'react'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { type LinkActor, type LinkKind, linkFormIn } from '../../actors/password-forms.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot } from '../../actors/use-root.ts'
import { PasswordForm } from './password-form.tsx'
import { WayBack } from './way-back.tsx'

type Props = { link: LinkActor; kind: LinkKind; token: string }

export const LINK_TITLES = { activation: 'Activate your account', password: 'Set password' }

const words = {
  activation: {
    what: 'Choose a password, then sign in with it.',
    labels: {
      password: 'Set password',
      confirmPassword: 'Retype password',
      submit: 'Activate',
      submitting: 'Activating…',
    },
  },
  password: {
    what: 'Choose a new password, then sign in with it.',
    labels: {
      password: 'Set password',
      confirmPassword: 'Retype password',
      submit: 'Set Password',
      submitting: 'Setting…',
    },
  },
}

/** The password for a link that works, and whose it is. */
export function LinkForm({ link, kind, token }: Props) {
  const root = useRoot()
  const [machine] = useState(() => linkFormIn(root, link))
  const { answer } = useKeptAnswer(AUTH_CALLS.getUserByToken, { params: { token } }, { isBackground: true })
  const user = answer?.user
  const { what, labels } = words[kind.purpose]
  return (
    <>
      <h1 className="font-semibold text-figure tracking-tight">{LINK_TITLES[kind.purpose]}</h1>
      <p className="mt-1 mb-6 min-h-10 text-ink-soft">
        {what}
        {user && (
          <>
            {' '}
            This is for <span className="font-medium text-ink">{user.name}</span>,{' '}
            <span className="break-all">{user.email}</span>.
          </>
        )}
      </p>
      <PasswordForm machine={machine} labels={labels} userName={user?.userName} />
      <WayBack />
    </>
  )
}
