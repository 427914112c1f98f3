import { useEffect, useEffectEvent } from 'react'

/** Escape, where nothing else that is open wants it: a window, a menu, a field being typed into. */
export function useEscape(onEscape: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (document.querySelector('[role="dialog"], [role="menu"], [role="alertdialog"]') !== null) return
    onEscape()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
