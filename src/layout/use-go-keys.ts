import { useEffect, useEffectEvent, useRef } from 'react'
import { useRoot } from '../actors/use-root.ts'
import { GO_KEYS } from './go-keys.ts'
import { isTyping } from './is-typing.ts'
import { isWindowOpen } from './is-window-open.ts'

/** The letter must come so soon after `g`, ms. */
const SOON = 1500

/** `?` shows all keys; `g` and then a letter goes to a page. */
export function useGoKeys(onKeys: () => void): void {
  const { goTo } = useRoot()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp } = event
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
    // with Shift one only begins to press «?»
    if (key === 'Shift' || isTyping(event.target) || isWindowOpen()) return
    const place = timeStamp - wentAt.current < SOON ? GO_KEYS[key.toLowerCase()] : undefined
    wentAt.current = key.toLowerCase() === 'g' ? timeStamp : Number.NEGATIVE_INFINITY
    if (place !== undefined) goTo(place.path)
    else if (key === '?') onKeys()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    // before lists and panels, which have the same letters for something else
    window.addEventListener('keydown', listener, true)
    return () => window.removeEventListener('keydown', listener, true)
  }, [])
}
