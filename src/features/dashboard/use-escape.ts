import { useEffect, useEffectEvent } from 'react'
import { isWindowOpen } from '../../layout/is-window-open.ts'

/** Escape, where nothing else that is open wants it: a window, a menu, a field being typed into. */
export function useEscape(onEscape: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (isWindowOpen()) return
    onEscape()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
