import type { ReactNode } from 'react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { lazyPart } from './lazy-part.ts'
import { ServerAwaited } from './server-awaited.tsx'

const NotFound = lazyPart(() => import('../features/not-found/not-found.tsx'))

/** A page that is there where the world is a pretended one, and elsewhere like any address nobody lives at. */
export function Simulated({ children }: { children: ReactNode }) {
  const house = useStore(useRoot().house)
  if (house === undefined) return <ServerAwaited skeleton={null} />
  if (house.simulator) return children
  return (
    <main className="h-dvh bg-ground">
      <NotFound />
    </main>
  )
}
