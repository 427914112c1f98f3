import { LAND_ZOOM } from './land.ts'

/**
 * The documents' zooms, which are those of a map of 256 px tiles; on ours, of 512 px, the same is seen one step earlier:
 * where the dashboard opens, where Reset takes it, where a selection does, and the map of a single device.
 */
export const ZOOM = { opened: 6.5, reset: 4.5, selected: 16, single: 9 }

/** As near as the map goes by itself, where the documents ask for more than the land has to show. */
export const asNearAsLand = (zoom: number): number => Math.min(zoom, LAND_ZOOM)
