import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useState,
} from 'react'
import { fetched } from '../effects/call-failures.ts'

// biome-ignore lint/suspicious/noExplicitAny: React's own type of any component
export type AnyComponent = ComponentType<any>
type Fetched = {
  held: AnyComponent | undefined
  waiting: ReactNode
  isNeeded: boolean
  fetchPart(): Promise<void>
}

/**
 * A part of the portal that is fetched when it is first shown, or earlier by its `fetchPart`; `waiting` is shown until it is
 * there, and ErrorBoundary knows it when it did not arrive, unless the page does as well without (`isNeeded` false). React's
 * Suspense would show it up to 0.3 s after it has come.
 */
export function lazyPart<T extends AnyComponent>(
  load: () => Promise<{ default: T }>,
  waiting: ReactNode = null,
  isNeeded = true,
) {
  let coming: Promise<void> | undefined
  const part: Fetched = {
    held: undefined,
    waiting,
    isNeeded,
    fetchPart() {
      coming ??= fetched(load()).then((module) => {
        part.held = module.default
      })
      return coming
    },
  }
  const render = (props: ComponentProps<T>) => createElement(Part, { part, props })
  return Object.assign(render, { fetchPart: part.fetchPart })
}

function Part({ part, props }: { part: Fetched; props: object }): ReactNode {
  const [Shown, setShown] = useState(() => part.held)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    if (Shown === undefined)
      part.fetchPart().then(
        () => setShown(() => part.held),
        (error: unknown) => setFailure({ error }),
      )
  }, [Shown, part])
  if (failure && part.isNeeded) throw failure.error
  // its room is given up with it
  if (failure) return null
  return Shown === undefined ? part.waiting : createElement(Shown, props)
}
