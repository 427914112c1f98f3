import { useSelector } from '@xstate/react'
import { Link } from 'wouter'
import type { LinkActor, LinkKind } from '../../actors/password-forms.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Outcome } from './outcome.tsx'
import { WayToLogin } from './way-back.tsx'

/** It has run out: another can be had. */
export function ExpiredLink({ link, kind }: { link: LinkActor; kind: LinkKind }) {
  return kind.purpose === 'activation' ? (
    <ExpiredActivation link={link} />
  ) : (
    <Outcome title="This link has expired" action={<AskForAnother />}>
      Links to set a password are good for a short time.
    </Outcome>
  )
}

function ExpiredActivation({ link }: { link: LinkActor }) {
  const isResending = useSelector(link, (state) => state.matches({ expired: 'resending' }))
  const isResent = useSelector(link, (state) => state.matches({ expired: 'resent' }))
  const message = useSelector(link, ({ context }) => context.message)
  return (
    <Outcome
      title="This link has expired"
      action={
        <button
          type="button"
          aria-disabled={isResending}
          className={buttonLook(isResent ? 'plain' : 'primary')}
          onClick={() => link.send({ type: 'resend' })}
        >
          {isResending ? 'Sending…' : 'Resend Link'}
        </button>
      }
    >
      <p role="status">
        {isResent
          ? `${message}. Look among unwanted mail too.`
          : 'Another one goes to the e-mail address of your account.'}
      </p>
    </Outcome>
  )
}

/** It was used: the account is there. */
export function UsedLink({ kind }: { kind: LinkKind }) {
  if (kind.purpose === 'password')
    return (
      <Outcome
        title="This link was already used"
        action={
          <>
            <WayToLogin />
            <AskForAnother isMain={false} />
          </>
        }
      >
        The password it was for is set.
      </Outcome>
    )
  return (
    <Outcome
      title="This link was already used"
      action={
        <>
          <button type="button" disabled className={buttonLook('plain', 'max-w-full')}>
            Account already created. Goto Login Page
          </button>
          <WayToLogin />
        </>
      }
    >
      Sign in with the password you chose. If you no longer know it,{' '}
      <Link href="/forgot-password" className="font-medium text-accent hover:underline">
        ask for a new one
      </Link>
      .
    </Outcome>
  )
}

function AskForAnother({ isMain = true }: { isMain?: boolean }) {
  return (
    <Link href="/forgot-password" className={buttonLook(isMain ? 'primary' : 'plain')}>
      Ask for another
    </Link>
  )
}

/** It never was a link: the server's words, and where one gets another. */
export function UnknownLink({ failure }: { failure: unknown }) {
  return (
    <Outcome title={failure instanceof Error ? failure.message : String(failure)} action={<WayToLogin />}>
      The address may be incomplete. Open it from the mail again, or copy it whole.
    </Outcome>
  )
}

/** The server did not say. */
export function UnansweredLink({ link }: { link: LinkActor }) {
  return (
    <Outcome
      title="The link could not be checked"
      action={
        <button type="button" className={buttonLook('primary')} onClick={() => link.send({ type: 'retry' })}>
          Try again
        </button>
      }
    >
      Frostline's server did not answer in time. Nothing is lost.
    </Outcome>
  )
}

/** The password is set. */
export function DoneLink({ kind, message }: { kind: LinkKind; message: string }) {
  return (
    <Outcome
      title={kind.purpose === 'activation' ? 'Your account is ready' : 'Your password is set'}
      action={<WayToLogin />}
    >
      {message}
    </Outcome>
  )
}
