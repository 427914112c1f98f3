import { useSyncExternalStore } from 'react'

/** The theme on screen: the visitor's choice (`data-theme` on the page), else the system's. For what CSS cannot tone: canvas, map, charts. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, currentTheme)
}

/** As `useTheme`, once: nothing is called when it changes. */
export function currentTheme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return darkSystem.matches ? 'dark' : 'light'
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

function subscribe(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  darkSystem.addEventListener('change', listener)
  return () => {
    watcher.disconnect()
    darkSystem.removeEventListener('change', listener)
  }
}
