import { useSelector } from '@xstate/react'
import { createContext, useContext } from 'react'
import type { Session } from '#machines/session/session.ts'
import type { Root } from './root.ts'

export const RootContext = createContext<Root | null>(null)

/** The root, in a component. @throws Error outside of the portal's tree */
export function useRoot(): Root {
  const root = useContext(RootContext)
  if (root === null) throw new Error('useRoot stands outside of RootContext')
  return root
}

/** Who is signed in; null where nobody is. */
export function useSession(): Session | null {
  return useSelector(useRoot().session, ({ context }) => context.session)
}

/** Who is signed in, in a page that only they see. @throws Error where nobody is */
export function useSignedIn(): Session {
  const session = useSession()
  if (session === null) throw new Error('Nobody is signed in')
  return session
}
