export type MapTheme = 'light' | 'dark'

/** The map's tones: the cool neutrals of the panels, so that land and panels belong together. No colour here means a state. */
export type MapPalette = {
  water: string
  land: string
  river: string
  countryBorder: string
  provinceBorder: string
  road: string
  /** The same seen close by, where a road is wide and needs less contrast. */
  wideRoad: string
  roadCasing: string
  /** A street-level archive's parks, built-up land and houses; never stronger than a road. */
  green: string
  built: string
  placeText: string
  smallPlaceText: string
  countryText: string
  provinceText: string
  waterText: string
  halo: string
  /** around a place that is looked at: the accent, as the map's library takes colours */
  mark: string
}

export const palettes: Record<MapTheme, MapPalette> = {
  light: {
    water: '#d9e1e9',
    land: '#f1f4f7',
    river: '#c6d6e5',
    countryBorder: '#aab5c1',
    provinceBorder: '#c3ccd6',
    road: '#ffffff',
    wideRoad: '#ffffff',
    roadCasing: '#b3bfcb',
    green: '#e7edeb',
    built: '#e6eaef',
    placeText: '#3f4b58',
    smallPlaceText: '#5d6976',
    countryText: '#7c8896',
    provinceText: '#94a0ad',
    waterText: '#7f93a8',
    halo: '#f1f4f7',
    mark: '#00728f',
  },
  dark: {
    water: '#0c1218',
    land: '#171e26',
    river: '#0a1118',
    countryBorder: '#3f4c59',
    provinceBorder: '#2f3a46',
    road: '#526273',
    wideRoad: '#33404c',
    roadCasing: '#10161c',
    green: '#182221',
    built: '#1d252e',
    placeText: '#a9b5c1',
    smallPlaceText: '#8a96a3',
    countryText: '#6d7a88',
    provinceText: '#5f6c7a',
    waterText: '#425568',
    halo: '#141b22',
    mark: '#6fcde4',
  },
}
