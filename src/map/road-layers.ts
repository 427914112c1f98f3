import type { LayerSpecification } from 'maplibre-gl'
import { MEDIUM } from './fonts.ts'
import type { MapPalette } from './palette.ts'

/** The source of the corridors the fleet drives; its features are lines, with an optional `ref` ("M-2") to write along them. */
export const ROADS = 'roads'

/** Corridors as roads, under every name. */
export function roadLines(palette: MapPalette): LayerSpecification[] {
  const layout = { 'line-join': 'round', 'line-cap': 'round' } as const
  return [
    {
      id: 'road-casing',
      type: 'line',
      source: ROADS,
      minzoom: 4,
      layout,
      paint: {
        'line-color': palette.roadCasing,
        'line-width': ['interpolate', ['exponential', 1.35], ['zoom'], 4, 0.7, 7, 2.9, 10, 5, 14, 11, 17, 22],
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 4, 0, 5, 1],
      },
    },
    {
      id: 'roads',
      type: 'line',
      source: ROADS,
      minzoom: 5,
      layout,
      paint: {
        'line-color': ['interpolate', ['linear'], ['zoom'], 7.5, palette.road, 11, palette.wideRoad],
        'line-width': [
          'interpolate',
          ['exponential', 1.35],
          ['zoom'],
          5,
          0.4,
          7,
          1.3,
          10,
          3.2,
          14,
          8.5,
          17,
          19,
        ],
      },
    },
  ]
}

/** Road numbers along the corridors that have one. */
export function roadNames(palette: MapPalette): LayerSpecification[] {
  return [
    {
      id: 'road-names',
      type: 'symbol',
      source: ROADS,
      minzoom: 7.5,
      filter: ['has', 'ref'],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': ['get', 'ref'],
        'text-font': [MEDIUM],
        'text-size': ['interpolate', ['linear'], ['zoom'], 7.5, 9.5, 12, 11.5],
        'text-letter-spacing': 0.04,
        'text-padding': 12,
      },
      paint: {
        'text-color': palette.smallPlaceText,
        'text-halo-color': palette.halo,
        'text-halo-width': 2.5,
      },
    },
  ]
}
