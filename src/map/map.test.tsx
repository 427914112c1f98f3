import { Map as MapLibre } from 'maplibre-gl'
import { afterEach, expect, test } from 'vitest'
import type { MapTheme } from './palette.ts'
import { prepareMapLibre, readTilesSchema } from './setup.ts'
import { mapStyle } from './style.ts'

let map: MapLibre | undefined

afterEach(() => map?.remove())

async function showPakistan(theme: MapTheme): Promise<MapLibre> {
  prepareMapLibre()
  const container = document.createElement('div')
  container.style.cssText = 'width: 600px; height: 400px'
  document.body.append(container)
  const shown = new MapLibre({
    container,
    style: mapStyle(theme, {
      roads: {
        type: 'Feature',
        properties: { ref: 'N-5' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [71.5, 30.2],
            [74.3, 31.5],
          ],
        },
      },
    }),
    center: [71.5249, 30.1575],
    zoom: 5.5,
    fadeDuration: 0,
  })
  map = shown
  await shown.once('idle')
  return shown
}

test.each(['light', 'dark'] as const)(
  'MapLibre draws land, roads and names in the %s theme',
  async (theme) => {
    const shown = await showPakistan(theme)
    const drawn = (layer: string) =>
      shown.queryRenderedFeatures({ layers: [layer] }).map((feature) => feature.properties)
    expect(drawn('land').length).toBeGreaterThan(0)
    expect(drawn('roads')).toContainEqual({ ref: 'N-5' })
    expect(drawn('place-names').map(({ name }) => name)).toContain('Multan')
    expect(drawn('country-names').map(({ name }) => name)).toContain('Pakistan')
  },
)

test('an archive tells its schema', async () => {
  expect(await readTilesSchema('/map/world.pmtiles')).toBe('frostline')
})

test('an archive that is not there is an error', async () => {
  await expect(readTilesSchema('/map/none.pmtiles')).rejects.toThrow()
})
