import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps'
import type { LayerSpecification } from 'maplibre-gl'
import { MEDIUM, SEMI_BOLD } from './fonts.ts'
import type { MapPalette, MapTheme } from './palette.ts'
import { BASE } from './world-layers.ts'

/**
 * Layers for a user's own street-level archive in the Protomaps schema, in our tones and our type. What needs a sprite
 * (points of interest, shields, arrows) is left out: the fleet's markers are the only signs on this map.
 */
export function protomapsLayers(theme: MapTheme, palette: MapPalette): LayerSpecification[] {
  const drawn = layers(BASE, flavorOf(theme, palette), { lang: 'en' }) as LayerSpecification[]
  return drawn.flatMap((layer): LayerSpecification[] => {
    if (layer.type !== 'symbol' || layer.layout?.['icon-image'] === undefined) return [layer]
    if (layer.id !== 'places_locality') return []
    const { 'icon-image': _sign, ...layout } = layer.layout
    return [{ ...layer, layout }]
  })
}

function flavorOf(theme: MapTheme, palette: MapPalette): Flavor {
  const base = namedFlavor(theme === 'light' ? 'grayscale' : 'black')
  const tones = Object.keys(base).map((key) => [key, toneOf(key, palette)] as const)
  return {
    ...base,
    ...Object.fromEntries(tones.filter(([, tone]) => tone !== undefined)),
    regular: MEDIUM,
    bold: SEMI_BOLD,
    italic: MEDIUM,
  }
}

/** First match wins; what no line names (landcover, points of interest) stays as the neutral flavour has it. */
const TONES: [RegExp, keyof MapPalette][] = [
  [/_halo$/, 'halo'],
  [/^ocean_label$/, 'waterText'],
  [/^city_label$/, 'placeText'],
  [/^state_label$/, 'provinceText'],
  [/^country_label$/, 'countryText'],
  [/label/, 'smallPlaceText'],
  [/^(water|background)$/, 'water'],
  [/^boundaries$/, 'countryBorder'],
  [/_casing/, 'roadCasing'],
  [/(highway|major|link|minor|other|runway|railway|pedestrian|pier)/, 'wideRoad'],
  [/^(park|wood|scrub|zoo)/, 'green'],
  [/^(buildings|hospital|industrial|school|aerodrome|military)$/, 'built'],
  [/^(earth|sand|beach|glacier)$/, 'land'],
]

function toneOf(key: string, palette: MapPalette): string | undefined {
  const tone = TONES.find(([pattern]) => pattern.test(key))?.[1]
  return tone && palette[tone]
}
