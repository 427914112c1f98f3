import type { SourceSpecification, StyleSpecification, VectorSourceSpecification } from 'maplibre-gl'
import { fontFaces } from './fonts.ts'
import { type MapTheme, palettes } from './palette.ts'
import type { protomapsLayers } from './protomaps-layers.ts'
import { ROADS, roadLines, roadNames } from './road-layers.ts'
import { BASE, worldGround, worldNames } from './world-layers.ts'

/** What a PMTiles archive calls its layers: ours (tools/basemap) or that of Protomaps' street maps. */
export type TilesSchema = 'frostline' | 'protomaps'

export type MapStyleOptions = {
  /** A whole MapLibre style of the user's own; it wins over everything else and is used as it is. */
  styleUrl?: string | undefined
  /** A PMTiles archive; ours when absent. */
  tilesUrl?: string | undefined
  /** Draws the archive in the schema of Protomaps; in ours where absent. See `readTilesSchema` in setup.ts. */
  streets?: typeof protomapsLayers | undefined
}

/** What our archives hold, so that no tile waits for their heads. */
const OUR_TILES: Archive = { url: `${import.meta.env.BASE_URL}map/world.pmtiles`, minzoom: 0, maxzoom: 7 }
const OUR_ROADS: Archive = {
  url: `${import.meta.env.BASE_URL}map/roads.pmtiles`,
  minzoom: 4,
  maxzoom: 10,
  bounds: [62.3254, 24.656, 74.873, 35.9187],
}
const ATTRIBUTION: Record<TilesSchema, string> = {
  frostline: '© GeoNames (CC BY 4.0) · Natural Earth · GSHHG (LGPL)',
  protomaps: '© OpenStreetMap contributors · Protomaps',
}

/**
 * The map in our tones, for `<Map mapStyle={…}>`. Both themes have the same layers, so switching changes colours only.
 * The answer is a fresh object: keep it (useMemo) as long as its arguments stay the same.
 *
 * @returns a style, or `styleUrl` itself where one is given
 */
export function mapStyle(theme: MapTheme, options: MapStyleOptions = {}): StyleSpecification | string {
  if (options.styleUrl) return options.styleUrl
  const palette = palettes[theme]
  const streets = options.tilesUrl && options.streets
  return {
    version: 8,
    name: `Frostline ${theme}`,
    'font-faces': fontFaces,
    sources: {
      [BASE]: tiles(
        options.tilesUrl ? { url: options.tilesUrl } : OUR_TILES,
        ATTRIBUTION[streets ? 'protomaps' : 'frostline'],
      ),
      // A street map has these roads already.
      ...(streets ? {} : { [ROADS]: tiles(OUR_ROADS) }),
    },
    layers: streets
      ? streets(theme, palette)
      : [...worldGround(palette), ...roadLines(palette), ...roadNames(palette), ...worldNames(palette)],
    transition: { duration: 200, delay: 0 },
  }
}

/** A PMTiles archive at an address; what is left out is asked of its head. */
type Archive =
  | { url: string }
  | ({ url: string } & Pick<VectorSourceSpecification, 'minzoom' | 'maxzoom' | 'bounds'>)

function tiles({ url, ...held }: Archive, attribution?: string): SourceSpecification {
  const isKnown = 'maxzoom' in held
  const where = isKnown ? { tiles: [`pmtiles://${url}/{z}/{x}/{y}`], ...held } : { url: `pmtiles://${url}` }
  return { type: 'vector', ...where, ...(attribution ? { attribution } : {}) }
}
