import type { ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'

/** What stands where a map would, in a browser that cannot draw it; `children`: where the same is said in words. */
export function NoMap({ children }: { children: ReactNode }) {
  return (
    <ErrorState title="This browser cannot draw the map">
      It has no WebGL 2, or it is switched off. {children}
    </ErrorState>
  )
}

let isDrawable: boolean | undefined

/** Asked once, with a context that is given back at once: a browser has few of them. */
export function hasWebGl2(): boolean {
  if (isDrawable !== undefined) return isDrawable
  const gl = document.createElement('canvas').getContext('webgl2')
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  isDrawable = gl !== null
  return isDrawable
}
