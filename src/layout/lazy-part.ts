import { type ComponentType, lazy } from 'react'
import { fetched } from '../effects/call-failures.ts'

/** A part of the portal that is fetched when it is first shown; ErrorBoundary knows it when it did not arrive. */
// biome-ignore lint/suspicious/noExplicitAny: React's own type of any component
export const lazyPart = <T extends ComponentType<any>>(load: () => Promise<{ default: T }>) =>
  lazy(() => fetched(load()))
