import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Who opens the panel goes on in it, and comes back to where they were. What they pressed may be gone when it has been
 * done: then they are still in the panel, so that its keys go on working.
 * @param shown changes whenever what is on the panel does
 */
export function usePanelFocus(
  panel: RefObject<HTMLElement | null>,
  takesFocus: boolean,
  shown: unknown,
): void {
  const isInside = useRef(false)
  useLayoutEffect(() => {
    const mine = panel.current
    if (mine === null || !takesFocus) return
    const before = document.activeElement
    mine.focus()
    isInside.current = true
    return () => {
      if (mine.contains(document.activeElement) && before instanceof HTMLElement) before.focus()
    }
  }, [panel, takesFocus])

  useEffect(() => {
    const note = ({ target }: Event): void => {
      isInside.current = panel.current?.contains(target as Node) === true
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', note, true)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note, true)
    }
  }, [panel])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown may have taken the focus along
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) panel.current?.focus()
  }, [panel, shown])
}
