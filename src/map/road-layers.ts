import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { MEDIUM } from './fonts.ts'
import { forEach } from './for-each.ts'
import type { MapPalette } from './palette.ts'

/** The source of the roads and the stops along them (built by tools/basemap/build-roads.ts). */
export const ROADS = 'roads'

/** Px at a zoom, wider for a motorway, thinner for a street. */
type Width = [zoom: number, px: number]

const CASING: Width[] = [
  [4, 0.7],
  [7, 2.9],
  [10, 5],
  [14, 11],
  [17, 22],
]
const ROAD: Width[] = [
  [5, 0.4],
  [7, 1.3],
  [10, 3.2],
  [14, 8.5],
  [17, 19],
]

/** Roads, under every name. */
export function roadLines(palette: MapPalette): LayerSpecification[] {
  const road = {
    type: 'line',
    source: ROADS,
    'source-layer': 'roads',
    layout: { 'line-join': 'round', 'line-cap': 'round' },
  } as const
  return [
    {
      ...road,
      id: 'road-casing',
      minzoom: 4,
      paint: {
        'line-color': palette.roadCasing,
        'line-width': widthOf(CASING),
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 4, 0, 5, 1],
      },
    },
    {
      ...road,
      id: 'roads',
      minzoom: 5,
      paint: {
        'line-color': ['interpolate', ['linear'], ['zoom'], 7.5, palette.road, 11, palette.wideRoad],
        'line-width': widthOf(ROAD),
      },
    },
  ]
}

function widthOf(widths: Width[]): ExpressionSpecification {
  const byKind = (px: number) => ['match', ['get', 'kind'], 'motorway', px * 1.3, 'urban', px * 0.75, px]
  return [
    'interpolate',
    ['exponential', 1.35],
    ['zoom'],
    ...widths.flatMap(([zoom, px]) => [zoom, byKind(px)]),
  ] as ExpressionSpecification
}

/** Numbers of roads, names of those without one, and names of the stops along them. */
export function roadNames(palette: MapPalette): LayerSpecification[] {
  const paint = {
    'text-color': forEach(palette.smallPlaceText),
    'text-halo-color': palette.halo,
    'text-halo-width': 2.5,
  }
  return [
    {
      id: 'stop-names',
      type: 'symbol',
      source: ROADS,
      'source-layer': 'stops',
      minzoom: 9,
      layout: {
        'text-field': ['get', 'name'],
        'text-font': [MEDIUM],
        'text-size': ['interpolate', ['linear'], ['zoom'], 9, 9.5, 12, 11.5],
        'text-max-width': 7,
        'text-padding': 4,
        'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 0.7,
      },
      paint: { ...paint, 'text-halo-width': 1.4 },
    },
    {
      id: 'road-names',
      type: 'symbol',
      source: ROADS,
      'source-layer': 'roads',
      minzoom: 10,
      filter: ['has', 'name'],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': ['get', 'name'],
        'text-font': [MEDIUM],
        'text-size': ['interpolate', ['linear'], ['zoom'], 10, 9.5, 13, 11.5],
        'text-padding': 12,
      },
      paint,
    },
    {
      id: 'road-numbers',
      type: 'symbol',
      source: ROADS,
      'source-layer': 'roads',
      minzoom: 6,
      filter: ['all', ['has', 'ref'], ['any', ['==', ['get', 'kind'], 'motorway'], ['>=', ['zoom'], 7]]],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 200,
        // Upright, as on a sign: its halo interrupts the road.
        'text-rotation-alignment': 'viewport',
        'text-field': ['get', 'ref'],
        'text-font': [MEDIUM],
        'text-size': ['interpolate', ['linear'], ['zoom'], 6, 9, 12, 11.5],
        'text-letter-spacing': 0.04,
        'text-padding': 6,
      },
      paint,
    },
  ]
}
