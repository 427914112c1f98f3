import { useEffect } from 'react'

/** ms after the first page: by then what it shows has come */
const LATER = 2500

/** What opens with a press, and so may be asked for when there is no network, or this build is gone from the server. */
const behindPresses = () => [
  import('../actors/time-machine.ts'),
  import('../ui/pop-up-window.tsx'),
  import('../ui/toaster.tsx'),
  import('../ui/check-tree.tsx'),
  import('./user-menu-items.tsx'),
  import('./views-dialog.tsx'),
  import('./bell-window.tsx'),
  import('./drawer.tsx'),
  import('./palette.tsx'),
  import('./keys.tsx'),
  import('./incidents/incident-view.tsx'),
  import('../features/dashboard/map-legend.tsx'),
  import('../features/dashboard/marker-card.tsx'),
  import('../features/dashboard/list/device-details.tsx'),
  import('../features/dashboard/list/no-devices.tsx'),
]

/** What no page waits for: fetched once the first page stands. */
export const afterFirstPage =
  <T>(load: () => Promise<T>): (() => Promise<T>) =>
  async () => {
    await new Promise((resolve) => setTimeout(resolve, LATER))
    return load()
  }

/** Fetches what is behind the presses of every page once the page stands. */
export function useFetchAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled(behindPresses()), LATER)
    return () => clearTimeout(timer)
  }, [])
}
