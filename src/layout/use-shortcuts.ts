import { useEffect, useEffectEvent } from 'react'
import { isTyping } from './is-typing.ts'

/** Keys that work everywhere in the shell: ⌘K or Ctrl K the palette, `/` the page's search, else the palette. */
export function useShortcuts({ onPalette }: { onPalette: () => void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return
    if (
      event.key.toLowerCase() === 'k' &&
      (event.metaKey || event.ctrlKey) &&
      !event.altKey &&
      !event.shiftKey
    ) {
      event.preventDefault()
      onPalette()
    } else if (
      event.key === '/' &&
      !event.metaKey &&
      !event.ctrlKey &&
      !event.altKey &&
      !isTyping(event.target)
    ) {
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('#content [data-page-search]')
      if (search) search.focus()
      else onPalette()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
