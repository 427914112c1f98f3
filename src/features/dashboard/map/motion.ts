import type { FleetColumns } from '../../../read-model/columns.ts'

/** How a device is on its way between its last two readings. */
export type Motion = {
  /** ms on the page's monotonic clock */
  now: number
  /** real ms that one of the server's clock takes; 0 or Infinity while it stands still */
  perMs: number
  /** nothing glides for visitors who asked for less motion */
  isStill: boolean
}

const SHORTEST_MS = 300
const LONGEST_MS = 20_000

/**
 * How long a device is on its way between its last two places, real ms: as long as between the two readings, so that it
 * moves on when the next one comes.
 */
export const wayTakes = ({ wayMs }: FleetColumns, row: number, { perMs }: Motion): number =>
  Math.min(LONGEST_MS, Math.max(SHORTEST_MS, perMs * (wayMs[row] as number)))

/** How much of that way it has behind it, 0 to 1. */
export function progressOf(columns: FleetColumns, row: number, motion: Motion): number {
  const movedAt = columns.movedAt[row] as number
  if (motion.isStill || movedAt === 0 || motion.perMs === Number.POSITIVE_INFINITY) return 1
  return Math.min(1, Math.max(0, (motion.now - movedAt) / wayTakes(columns, row, motion)))
}

/** Where to draw a device, on the unit square. `progress`: of `progressOf`. */
export function placeOf(columns: FleetColumns, row: number, progress: number): { x: number; y: number } {
  const x = columns.x[row] as number
  const y = columns.y[row] as number
  if (progress >= 1) return { x, y }
  const fromX = columns.previousX[row] as number
  const fromY = columns.previousY[row] as number
  return { x: fromX + (x - fromX) * progress, y: fromY + (y - fromY) * progress }
}
