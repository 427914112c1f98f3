import type { StyleSpecification, VectorSourceSpecification } from 'maplibre-gl'
import { PMTiles } from 'pmtiles'
import { afterEach, expect, test, vi } from 'vitest'
import { FlatMap } from './flat-map.ts'
import { LAND_ZOOM } from './land.ts'
import type { MapTheme } from './palette.ts'
import { readTilesSchema } from './setup.ts'
import { mapStyle } from './style.ts'

let map: FlatMap | undefined

afterEach(() => map?.remove())

async function show(theme: MapTheme, camera: { center: [lng: number, lat: number]; zoom: number }) {
  const container = document.createElement('div')
  container.style.cssText = 'width: 600px; height: 400px'
  document.body.append(container)
  const shown = new FlatMap({
    container,
    style: mapStyle(theme),
    ...camera,
    fadeDuration: 0,
  })
  map = shown
  await shown.once('idle')
  return (layer: string) =>
    shown.queryRenderedFeatures({ layers: [layer] }).map((feature) => feature.properties)
}

test.each(['light', 'dark'] as const)(
  'MapLibre draws land, roads and names in the %s theme',
  async (theme) => {
    const drawn = await show(theme, { center: [71.5249, 30.1575], zoom: 5.5 })
    expect(drawn('land').length).toBeGreaterThan(0)
    expect(drawn('roads')).toContainEqual({ kind: 'highway', ref: 'N-5' })
    expect(drawn('place-names').map(({ name }) => name)).toContain('Multan')
    expect(drawn('country-names').map(({ name }) => name)).toContain('Pakistan')
  },
)

test('as near as there is land to see, a device on the N-5 at Okara has its road and its town around it', async () => {
  const drawn = await show('dark', { center: [73.45, 30.81], zoom: LAND_ZOOM })
  expect(drawn('road-numbers')).toContainEqual({ kind: 'highway', ref: 'N-5' })
  expect(drawn('place-names').map(({ name }) => name)).toContain('Okara')
  expect(drawn('towns').map(({ name }) => name)).toContain('Okara')
})

test('it paints no sky, which the land would cover', async () => {
  const shaders = vi.spyOn(WebGL2RenderingContext.prototype, 'shaderSource')
  await show('light', { center: [71.5249, 30.1575], zoom: 5.5 })
  const painted = shaders.mock.calls.map(([, source]) => source).join('')
  expect(painted).toContain('u_color')
  expect(painted).not.toContain('u_sky_color')
})

test.each(['base', 'roads'])('the style says of %s what its archive holds', async (source) => {
  const style = mapStyle('light') as StyleSpecification
  const { tiles, ...rest } = style.sources[source] as VectorSourceSpecification
  const url = tiles?.[0]?.replace('pmtiles://', '').replace('/{z}/{x}/{y}', '') as string
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await new PMTiles(url).getHeader()
  const held = { minzoom: minZoom, maxzoom: maxZoom }
  const isWorld = maxLon - minLon === 360
  expect(rest).toMatchObject(isWorld ? held : { ...held, bounds: [minLon, minLat, maxLon, maxLat] })
})

test('an archive tells its schema', async () => {
  expect(await readTilesSchema('/map/world.pmtiles')).toBe('frostline')
})

test('an archive that is not there is an error', async () => {
  await expect(readTilesSchema('/map/none.pmtiles')).rejects.toThrow()
})
