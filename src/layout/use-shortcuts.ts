import { useEffect, useEffectEvent } from 'react'
import { isTyping } from './is-typing.ts'
import { isWindowOpen } from './is-window-open.ts'

/** Keys that work everywhere in the shell: ⌘K or Ctrl K the palette, `/` the page's search, else the palette, T what is past, J the page's rows where nothing has the focus. */
export function useShortcuts({ onPalette, onPast }: { onPalette: () => void; onPast: () => void }): void {
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
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    if (event.key.toLowerCase() === 't' && !isWindowOpen()) {
      event.preventDefault()
      onPast()
    } else if (event.key === '/') {
      event.preventDefault()
      const search = document.querySelector<HTMLElement>('#content [data-page-search]')
      if (search) search.focus()
      else onPalette()
    } else if (/^[jk]$/.test(event.key) && isNowhere(event.target) && !isWindowOpen()) {
      event.preventDefault()
      walkedRow()?.focus()
    }
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** Nothing has the focus, or the page as a whole. */
const isNowhere = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.id === 'content')

/** The row that Tab comes to in the page's first list of rows. */
function walkedRow(): HTMLElement | null {
  const rows = document.querySelector('#content [data-walked]')
  const pressed = 'tbody :is(a[href], button:not(:disabled))'
  return (
    rows && (rows.querySelector<HTMLElement>('[tabindex="0"]') ?? rows.querySelector<HTMLElement>(pressed))
  )
}
