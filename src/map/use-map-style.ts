import type { FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { HOUSE_CALLS } from '#machines/contracts/calls/house-calls.ts'
import { useAnswer } from '../actors/use-answer.ts'
import { useTheme } from '../ui/use-theme.ts'
import { readTilesSchema } from './setup.ts'
import { mapStyle, type TilesSchema } from './style.ts'

/** Another land than ours: build with VITE_MAP_STYLE_URL (any MapLibre style) or VITE_MAP_TILES_URL (a PMTiles file). */
const styleUrl: string | undefined = import.meta.env.VITE_MAP_STYLE_URL
const tilesUrl: string | undefined = import.meta.env.VITE_MAP_TILES_URL

/**
 * The style of every map of the portal, for `<Map mapStyle={…}>`: the land, the corridors the fleet drives, the theme.
 * A new object only when one of them changes.
 */
export function useMapStyle(): StyleSpecification | string {
  const theme = useTheme()
  const answer = useAnswer(HOUSE_CALLS.roads, {}, { isBackground: true })
  const roads = answer.state === 'ready' ? (answer.answer as FeatureCollection) : undefined
  const tilesSchema = useTilesSchema()
  return useMemo(
    () =>
      mapStyle(theme, {
        styleUrl,
        roads,
        ...(tilesSchema === undefined ? {} : { tilesUrl, tilesSchema }),
      }),
    [theme, roads, tilesSchema],
  )
}

/** The schema of the archive that was configured; undefined until it is known, and where there is none. */
function useTilesSchema(): TilesSchema | undefined {
  const [schema, setSchema] = useState<TilesSchema>()
  useEffect(() => {
    if (!tilesUrl) return
    readTilesSchema(tilesUrl).then(setSchema, (error: unknown) => {
      // Our own land stays.
      console.error(error)
    })
  }, [])
  return schema
}
