import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { MEDIUM, SEMI_BOLD } from './fonts.ts'
import { forEach } from './for-each.ts'
import type { MapPalette } from './palette.ts'

/** The one source of land, water, borders and names. */
export const BASE = 'base'

/** Ground of our own world archive (built by tools/basemap), bottom to top. */
export function worldGround(palette: MapPalette): LayerSpecification[] {
  const fill = (id: string, layer: string, color: string): LayerSpecification => ({
    id,
    type: 'fill',
    source: BASE,
    'source-layer': layer,
    paint: { 'fill-color': color },
  })
  return [
    { id: 'water', type: 'background', paint: { 'background-color': palette.water } },
    fill('land', 'land', palette.land),
    riverLayer('canals', 'canal', palette, 0.5),
    riverLayer('seasonal-rivers', 'seasonal', palette, 0.5),
    riverLayer('rivers', 'river', palette, 1),
    fill('lakes', 'lakes', palette.water),
    fill('islands', 'islands', palette.land),
    {
      id: 'province-borders',
      type: 'line',
      source: BASE,
      'source-layer': 'borders',
      minzoom: 3.5,
      filter: ['==', ['get', 'kind'], 'province'],
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': palette.provinceBorder,
        'line-width': widthOf(3.5, 0.5, 7, 1, 12, 1.6),
        // Dashed, so that a province is never taken for a river or a road.
        'line-dasharray': [3, 3],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 3.5, 0, 4.5, 1],
      },
    },
    borderLayer('country-borders', 'country', palette),
    borderLayer('disputed-borders', 'disputed', palette),
    townLayer(palette),
  ]
}

/**
 * A soft disc for each town, larger for more people. Outlines of towns we do not have; it is a sign, in px, and quieter than any
 * device.
 */
function townLayer(palette: MapPalette): LayerSpecification {
  const radius = (metropolis: number, village: number) => [
    'interpolate',
    ['linear'],
    ['get', 'rank'],
    0,
    metropolis,
    5,
    village,
  ]
  return {
    id: 'towns',
    type: 'circle',
    source: BASE,
    'source-layer': 'names',
    minzoom: 7,
    filter: ['all', ['==', ['get', 'kind'], 'place'], ['<=', ['get', 'z'], ['zoom']]],
    paint: {
      'circle-color': palette.built,
      'circle-radius': ['interpolate', ['exponential', 1.5], ['zoom'], 7, radius(16, 3), 11, radius(64, 10)],
      'circle-blur': 0.6,
      'circle-opacity': ['interpolate', ['linear'], ['zoom'], 7, 0, 8, 1],
    } as Extract<LayerSpecification, { type: 'circle' }>['paint'] & object,
  }
}

function riverLayer(id: string, kind: string, palette: MapPalette, scale: number): LayerSpecification {
  const width = (great: number, middle: number, small: number) =>
    ['match', ['get', 'rank'], 1, great * scale, 2, middle * scale, small * scale] as const
  return {
    id,
    type: 'line',
    source: BASE,
    'source-layer': 'rivers',
    minzoom: kind === 'river' ? 3 : 6.5,
    filter: ['==', ['get', 'kind'], kind],
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: {
      'line-color': palette.river,
      'line-width': [
        'interpolate',
        ['exponential', 1.3],
        ['zoom'],
        3,
        [...width(0.5, 0.3, 0.2)],
        7,
        [...width(1.6, 1.1, 0.7)],
        12,
        [...width(5, 3, 1.8)],
      ],
    } as Extract<LayerSpecification, { type: 'line' }>['paint'] & object,
  }
}

function borderLayer(id: string, kind: string, palette: MapPalette): LayerSpecification {
  return {
    id,
    type: 'line',
    source: BASE,
    'source-layer': 'borders',
    filter: ['==', ['get', 'kind'], kind],
    layout: { 'line-join': 'round' },
    paint: {
      'line-color': palette.countryBorder,
      'line-width': widthOf(1, 0.5, 5, 1, 8, 1.5, 12, 2),
      ...(kind === 'disputed' ? { 'line-dasharray': [3, 2.5] } : {}),
    },
  }
}

/** @param steps zooms, each with px */
const widthOf = (...steps: number[]): ExpressionSpecification =>
  [
    'interpolate',
    ['linear'],
    ['zoom'],
    ...steps.map((step, at) => (at % 2 === 0 ? step : forEach(step))),
  ] as ExpressionSpecification

/** Names of our own world archive. Each knows the first zoom at which there is room for it. */
export function worldNames(palette: MapPalette): LayerSpecification[] {
  return [
    nameLayer('sea-names', 'sea', palette.waterText, palette.water, {
      minzoom: 1,
      maxzoom: 8,
      size: ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 13],
      spacing: 0.16,
    }),
    nameLayer('province-names', 'province', palette.provinceText, palette.halo, {
      minzoom: 4.5,
      maxzoom: 8.5,
      size: ['interpolate', ['linear'], ['zoom'], 4.5, 9.5, 8, 12],
      spacing: 0.14,
      upper: true,
    }),
    {
      id: 'place-names',
      type: 'symbol',
      source: BASE,
      'source-layer': 'names',
      minzoom: 2.5,
      filter: ['all', ['==', ['get', 'kind'], 'place'], ['<=', ['get', 'z'], ['zoom']]],
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['case', ['<=', ['get', 'rank'], 1], ['literal', [SEMI_BOLD]], ['literal', [MEDIUM]]],
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          3,
          ['match', ['get', 'rank'], 0, 11.5, 1, 10.5, 10],
          7,
          ['match', ['get', 'rank'], 0, 15, 1, 13.5, 2, 12, 3, 11, 10.5],
          11,
          ['match', ['get', 'rank'], 0, 20, 1, 18, 2, 16, 3, 14, 4, 12.5, 11.5],
        ],
        'text-max-width': 7,
        'text-padding': 4,
        // Larger places first: where two names collide, the smaller yields.
        'symbol-sort-key': ['get', 'order'],
      },
      paint: {
        'text-color': ['case', ['<=', ['get', 'rank'], 2], palette.placeText, palette.smallPlaceText],
        'text-halo-color': palette.halo,
        'text-halo-width': 1.4,
        'text-halo-blur': 0.4,
      },
    },
    nameLayer('country-names', 'country', palette.countryText, palette.halo, {
      minzoom: 1,
      maxzoom: 6.5,
      size: [
        'interpolate',
        ['linear'],
        ['zoom'],
        1,
        ['-', 11, ['get', 'rank']],
        3,
        ['-', 13, ['get', 'rank']],
        6,
        ['-', 18, ['get', 'rank']],
      ],
      spacing: 0.1,
      upper: true,
      bold: true,
    }),
  ]
}

type SymbolLayout = NonNullable<Extract<LayerSpecification, { type: 'symbol' }>['layout']>
type NameOptions = {
  minzoom: number
  maxzoom: number
  size: NonNullable<SymbolLayout['text-size']>
  spacing: number
  upper?: boolean
  bold?: boolean
}

function nameLayer(
  id: string,
  kind: string,
  color: string,
  halo: string,
  options: NameOptions,
): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source: BASE,
    'source-layer': 'names',
    minzoom: options.minzoom,
    maxzoom: options.maxzoom,
    filter: ['all', ['==', ['get', 'kind'], kind], ['<=', ['get', 'z'], ['zoom']]],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': [options.bold ? SEMI_BOLD : MEDIUM],
      'text-size': options.size,
      'text-letter-spacing': options.spacing,
      'text-transform': options.upper ? 'uppercase' : 'none',
      'text-max-width': 8,
      'text-padding': 6,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: {
      'text-color': forEach(color),
      'text-halo-color': halo,
      'text-halo-width': 1.2,
      'text-halo-blur': 0.4,
    },
  }
}
