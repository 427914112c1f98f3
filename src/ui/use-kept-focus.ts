import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list whose rows leave as their button is pressed: it goes to the button of the row in that place.
 * @returns what the list does with the focus that comes to it
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>): (event: FocusEvent) => void {
  const last = useRef<{ at: Element; index: number }>(undefined)
  useLayoutEffect(() => {
    const { at, index } = last.current ?? {}
    if (at === undefined || index === undefined || at.isConnected) return
    last.current = undefined
    if (document.activeElement !== document.body) return
    const rows = list.current?.children ?? []
    rows[Math.min(index, rows.length - 1)]?.querySelector('button')?.focus()
  })
  return ({ target }) => {
    const row = target.closest('li')
    last.current = { at: target, index: [...(list.current?.children ?? [])].indexOf(row as Element) }
  }
}
