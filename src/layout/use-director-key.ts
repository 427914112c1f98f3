import { useEffect, useEffectEvent } from 'react'
import { isTyping } from './is-typing.ts'

/** `D` opens and closes the director's panel, where a letter is no text and no window lies over the page. */
export function useDirectorKey(isOn: boolean, onPress: () => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!isOn || key.toLowerCase() !== 'd' || ctrlKey || metaKey || altKey || shiftKey) return
    if (event.defaultPrevented || event.repeat || isTyping(event.target)) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
    event.preventDefault()
    onPress()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
