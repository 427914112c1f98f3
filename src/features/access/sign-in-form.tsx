import { useSelector } from '@xstate/react'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { isNotFound } from '#machines/session/session.ts'
import { useStore } from '../../actors/store.ts'
import { useSecret } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DemoAccounts } from './demo-accounts.tsx'

const NoAdministrator = lazyPart(() => import('./no-administrator.tsx'))

const REQUIRED = 'This field is required'
type Missing = { username?: string; password?: string }

/** E-mail and password. Both are needed; what the server says to them is a toast. */
export function SignInForm() {
  const { session, server } = useRoot()
  const isLoading = useSelector(session, (state) => state.matches('loading'))
  const hasExpired = useSelector(session, (state) => state.matches('expired'))
  const isUnknown = useSelector(session, ({ context }) => isNotFound(context.failure))
  const { simulator = false, needsAdministrator } = useStore(server) ?? {}
  const [missing, setMissing] = useState<Missing>({})
  useSecret()

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const username = String(form.get('username') ?? '').trim()
    const password = String(form.get('password') ?? '')
    setMissing({
      ...(username === '' && { username: REQUIRED }),
      ...(password === '' && { password: REQUIRED }),
    })
    if (username === '') focusOn(event.currentTarget, 'username')
    else if (password === '') focusOn(event.currentTarget, 'password')
    else session.send({ type: 'sign-in.submit', username, password })
  }

  return (
    <>
      <h1 className="font-semibold text-figure tracking-tight">Sign in</h1>
      <p className="mt-1 mb-6 text-ink-soft">
        {hasExpired
          ? 'Your session has ended. Sign in to go on.'
          : 'Your fleet and its cargo, live on one map.'}
      </p>
      <form noValidate onSubmit={submit} className="flex flex-col">
        <TextField
          label="Email"
          name="username"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          message={missing.username}
          onChange={() => setMissing(({ username: _, ...rest }) => rest)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          message={missing.password}
          onChange={() => setMissing(({ password: _, ...rest }) => rest)}
        />
        <div className="mt-2 flex items-center justify-between gap-4">
          <Link href="/forgot-password" className="rounded-small font-medium text-accent hover:underline">
            Forgot Password
          </Link>
          {/* A plain button: the kit behind Button comes with the shell, not before sign-in. */}
          <button type="submit" aria-disabled={isLoading} className={buttonLook('primary', 'min-w-28')}>
            {isLoading ? 'Signing in…' : 'Login'}
          </button>
        </div>
        {isUnknown && (
          <p role="alert" className="mt-2 text-dense text-error">
            The server does not know sign-in (404). Try again; if it stays so, tell whoever runs this portal.
          </p>
        )}
      </form>
      {needsAdministrator && <NoAdministrator />}
      {simulator && (
        <DemoAccounts
          isDisabled={isLoading}
          onPick={(account) => session.send({ type: 'sign-in.submit', ...account })}
        />
      )}
    </>
  )
}

function focusOn(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
