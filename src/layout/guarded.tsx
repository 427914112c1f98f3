import type { ReactNode } from 'react'
import { Redirect } from 'wouter'
import { useSession } from '../actors/use-root.ts'

/** What only those signed in see; a visitor with no user goes to /login. */
export function Guarded({ children }: { children: ReactNode }) {
  return useSession() === null ? <Redirect to="/login" replace /> : children
}
