import { useSelector } from '@xstate/react'
import { Redirect } from 'wouter'
import { useRoot } from '../../actors/use-root.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Outside } from './outside.tsx'
import { SignInForm } from './sign-in-form.tsx'

const Suspended = lazyPart(() => import('./suspended.tsx'))

/** The way in. The screen of a suspended company takes the form's place. */
export default function Login() {
  const { session } = useRoot()
  const isIn = useSelector(session, (state) => state.matches('authenticated'))
  const manager = useSelector(session, ({ context }) => context.manager)
  if (isIn) return <Redirect to="/" replace />
  return <Outside>{manager === null ? <SignInForm /> : <Suspended manager={manager} />}</Outside>
}
