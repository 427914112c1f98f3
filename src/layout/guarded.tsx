import { type ReactNode, useLayoutEffect } from 'react'
import { Redirect } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { useRoot, useSession } from '../actors/use-root.ts'

/** What only those signed in see; a visitor with no user goes to /login, and comes back from there. */
export function Guarded({ children }: { children: ReactNode }) {
  const { returnPage } = useRoot()
  const userId = useSession()?.user._id
  const address = useLocationProperty(() => location.pathname + location.search)
  useLayoutEffect(() => returnPage.keep(address, userId), [returnPage, address, userId])
  return userId === undefined ? <Redirect to="/login" replace /> : children
}
