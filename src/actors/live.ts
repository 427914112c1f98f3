import { createFleet } from '../read-model/fleet.ts'
import type { Live, Root } from './root.ts'

/** Starts feeding the fleet of the session. It comes with the shell, after sign-in. */
export function startLive(_root: Root): Live {
  const fleet = createFleet((draw) => requestAnimationFrame(draw))
  return { fleet, stop: () => fleet.clear() }
}
