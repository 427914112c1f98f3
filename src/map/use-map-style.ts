import type { StyleSpecification } from 'maplibre-gl'
import { useEffect, useMemo, useState } from 'react'
import { useTheme } from '../ui/use-theme.ts'
import { styleUrl, tilesUrl } from './land.ts'
import { readTilesSchema } from './setup.ts'
import { mapStyle, type TilesSchema } from './style.ts'

/**
 * The style of every map of the portal, for `<Map mapStyle={…}>`: the land in the tones of the theme.
 * A new object only when one of the two changes.
 */
export function useMapStyle(): StyleSpecification | string {
  const theme = useTheme()
  const tilesSchema = useTilesSchema()
  return useMemo(
    () =>
      mapStyle(theme, {
        styleUrl,
        ...(tilesSchema === undefined ? {} : { tilesUrl, tilesSchema }),
      }),
    [theme, tilesSchema],
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
