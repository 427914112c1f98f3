import { useSelector } from '@xstate/react'
import { Redirect } from 'wouter'
import { useRoot, useSession } from '../../actors/use-root.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Outside } from './outside.tsx'
import { SignInForm } from './sign-in-form.tsx'

const Suspended = lazyPart(() => import('./suspended.tsx'))

/** The way in. The screen of a suspended company takes the form's place. */
export default function Login() {
  const { session, returnPage } = useRoot()
  const user = useSession()?.user
  const isIn = useSelector(session, (state) => state.matches('authenticated'))
  const manager = useSelector(session, ({ context }) => context.manager)
  if (isIn && user) return <Redirect to={returnPage.of(user._id) ?? '/'} replace />
  return (
    <Outside title="Sign in">{manager === null ? <SignInForm /> : <Suspended manager={manager} />}</Outside>
  )
}
