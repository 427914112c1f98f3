import { useEffect, useEffectEvent } from 'react'
import type { TimeMachine } from '../../actors/root.ts'
import { useRoot } from '../../actors/use-root.ts'
import { isWindowOpen } from '../is-window-open.ts'

const MINUTE = 60_000
const FAR = 15 * MINUTE
/** What takes arrows for itself. */
const OWN =
  'input, canvas, [role="slider"], [role="spinbutton"], [role="treegrid"], [role="tree"], [role="tablist"], section[tabindex]'

/** A slider and what is chosen from a few are no text. */
const TEXT =
  'textarea, select, [contenteditable], input:not([type="radio"], [type="range"], [type="checkbox"])'
const isWriting = (target: EventTarget | null): boolean => target instanceof Element && target.matches(TEXT)

/** ← and → go a minute, with Shift fifteen; Escape is now at once. */
export function usePastKeys({ actor }: TimeMachine): void {
  const { clock } = useRoot()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isWriting(event.target) || isWindowOpen()) return
    if (event.key === 'Escape') {
      event.preventDefault()
      actor.send({ type: 'leave' })
      return
    }
    const isOwn = event.target instanceof Element && event.target.closest(OWN) !== null
    if (isOwn || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
    event.preventDefault()
    const by = (event.shiftKey ? FAR : MINUTE) * (event.key === 'ArrowLeft' ? -1 : 1)
    actor.send({ type: 'step', by, now: clock.now() })
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    // before what stands there: it has Escape for what is picked
    window.addEventListener('keydown', listener, true)
    return () => window.removeEventListener('keydown', listener, true)
  }, [])
}
