import { Link } from 'wouter'
import type { Session } from '#machines/session/session.ts'
import { useRoot } from '../../actors/use-root.ts'
import { buttonLook } from '../../ui/button-look.ts'

/** Somebody is signed in in this browser: who it is, and the way out. */
export function AnotherUser({ session: { user, groupInfo } }: { session: Session }) {
  const { session } = useRoot()
  return (
    <div role="alert">
      <h1 className="font-semibold text-title">
        Another user already logged in, please logout and activate your account.
      </h1>
      <p className="mt-2 text-ink-soft">
        <span className="font-medium text-ink">{user.name}</span>
        {groupInfo.name && ` of ${groupInfo.name}`} is signed in in this browser.
      </p>
      <div className="mt-6 flex flex-wrap gap-2">
        <button
          type="button"
          className={buttonLook('primary')}
          onClick={() => session.send({ type: 'sign-out.here' })}
        >
          Logout
        </button>
        <Link href="/" className={buttonLook('plain')}>
          Go on as {user.name}
        </Link>
      </div>
    </div>
  )
}
