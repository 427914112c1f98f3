import type { ReactNode } from 'react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { lazyPart } from './lazy-part.ts'

const ServerAwaited = lazyPart(() => import('./server-awaited.tsx'))
const NotFound = lazyPart(() => import('../features/not-found/not-found.tsx'))

/** A page that is there where the world is simulated, and elsewhere like any address nobody lives at. */
export function Simulated({ children }: { children: ReactNode }) {
  const server = useStore(useRoot().server)
  if (server === undefined) return <ServerAwaited skeleton={null} />
  if (server.simulator) return children
  return (
    <main className="h-dvh bg-ground">
      <NotFound />
    </main>
  )
}
