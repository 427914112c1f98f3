import { useEffect } from 'react'
import type { PlayerEvent } from '#machines/recording-player/recording-player.machine.ts'

type Playing = { at: number; steps: number; isPlaying: boolean; send: (event: PlayerEvent) => void }

/** Arrows go step by step, Home and End to the ends, the space bar plays. What is typed somewhere, or pressed, stays there. */
export function usePlayerKeys({ steps, isPlaying, send }: Playing): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const at = event.target instanceof Element ? event.target : null
      if (at?.closest('input, textarea, select, [contenteditable], [role="dialog"], aside')) return
      if (event.key === ' ' && at?.closest('button, a, summary')) return
      const playerEvent = eventOf(event.key, steps, isPlaying)
      if (playerEvent === undefined) return
      event.preventDefault()
      send(playerEvent)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [steps, isPlaying, send])
}

function eventOf(key: string, steps: number, isPlaying: boolean): PlayerEvent | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return { type: 'step.forward' }
    case 'ArrowLeft':
    case 'ArrowUp':
      return { type: 'step.back' }
    case 'Home':
      return { type: 'jump', to: 0 }
    case 'End':
      return { type: 'jump', to: steps }
    case ' ':
      return { type: isPlaying ? 'pause' : 'play' }
    default:
      return undefined
  }
}
