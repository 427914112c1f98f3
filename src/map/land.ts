/** Another land than ours: build with VITE_MAP_STYLE_URL (any MapLibre style) or VITE_MAP_TILES_URL (a PMTiles file). */
export const styleUrl: string | undefined = import.meta.env.VITE_MAP_STYLE_URL
export const tilesUrl: string | undefined = import.meta.env.VITE_MAP_TILES_URL

/**
 * How near there is land to see, as MapLibre's zoom: nearer than this the bundled map has no further town or road to show.
 * What moves the map by itself, e.g. to a device, stops here. Another land than ours is taken to show streets.
 */
export const LAND_ZOOM = styleUrl || tilesUrl ? 16 : 11
