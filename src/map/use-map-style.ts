import type { StyleSpecification } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { useTheme } from '../ui/use-theme.ts'
import { styleUrl, tilesUrl } from './land.ts'
import { readTilesSchema } from './setup.ts'
import { type MapStyleOptions, mapStyle } from './style.ts'

/**
 * The style of every map of the portal, for `<Map mapStyle={…}>`: the land in the tones of the theme.
 * A new object only when one of the two changes.
 */
export function useMapStyle(): StyleSpecification | string {
  const theme = useTheme()
  const own = useOwnTiles()
  return useMemo(() => mapStyle(theme, { styleUrl, ...own }), [theme, own])
}

/** The archive that was configured and how it is drawn; undefined until that is known, and where there is none. */
function useOwnTiles(): Pick<MapStyleOptions, 'tilesUrl' | 'streets'> | undefined {
  const [own, setOwn] = useState<Pick<MapStyleOptions, 'tilesUrl' | 'streets'>>()
  useEffect(() => {
    if (!tilesUrl) return
    readOwnTiles(tilesUrl).then(setOwn, (error: unknown) => {
      // Our own land stays.
      console.error(error)
    })
  }, [])
  return own
}

/** What draws streets comes with a street map alone. */
async function readOwnTiles(tilesUrl: string): Promise<Pick<MapStyleOptions, 'tilesUrl' | 'streets'>> {
  if ((await readTilesSchema(tilesUrl)) === 'frostline') return { tilesUrl }
  return { tilesUrl, streets: (await import('./protomaps-layers.ts')).protomapsLayers }
}
