import { useSelector } from '@xstate/react'
import { Redirect } from 'wouter'
import { wordsOf } from '../../actors/failure-words.ts'
import { useSecret } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Outcome } from './outcome.tsx'
import { Outside } from './outside.tsx'

/** Where an administrator enters as a group. What the address said was taken from it before anything was shown. */
export default function AdminLogin() {
  const { session } = useRoot()
  const isEntering = useSelector(
    session,
    (state) => state.matches({ handOff: 'checking' }) || state.matches({ handOff: 'entering' }),
  )
  const isRefused = useSelector(session, (state) => state.matches({ handOff: 'refused' }))
  const failure = useSelector(session, ({ context }) => context.failure)
  // what the address said is nowhere but here
  useSecret()
  if (isEntering)
    return (
      <Outside title="Administrator">
        <h1 className="sr-only">Administrator</h1>
        <p role="status" className="font-semibold text-title">
          Loading....
        </p>
        <p className="mt-1 text-ink-soft">The server is asked whether you may enter.</p>
      </Outside>
    )
  if (!isRefused) return <Redirect to="/" replace />
  return (
    <Outside title="Administrator">
      <Outcome
        title="This link does not let you in"
        action={
          <button
            type="button"
            className={buttonLook('primary')}
            onClick={() => session.send({ type: 'sign-in.again' })}
          >
            Goto Login Page
          </button>
        }
      >
        <p>{failure === null ? 'It is incomplete.' : wordsOf(failure)}</p>
        <p className="mt-2">
          Such links are good for a short time. Sign in as yourself and enter the company anew.
        </p>
      </Outcome>
    </Outside>
  )
}
