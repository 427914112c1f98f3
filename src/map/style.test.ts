import type { StyleSpecification } from 'maplibre-gl'
import { describe, expect, test } from 'vitest'
import { protomapsLayers } from './protomaps-layers.ts'
import { type MapStyleOptions, mapStyle } from './style.ts'

function styleOf(theme: 'light' | 'dark', options: MapStyleOptions = {}): StyleSpecification {
  const style = mapStyle(theme, options)
  if (typeof style === 'string') throw new Error('expected a style, not an address')
  return style
}

const street = { tilesUrl: '/map/city.pmtiles', streets: protomapsLayers }

describe.each([
  ['our world', {}],
  ['a street map of the user', street],
])('the map style of %s', (_, options) => {
  test('asks nobody outside for anything', () => {
    for (const theme of ['light', 'dark'] as const) {
      const style = styleOf(theme, options)
      expect(JSON.stringify(style)).not.toMatch(/https?:|\/\/[a-z]+\./)
      expect(style).not.toHaveProperty('glyphs')
      expect(style).not.toHaveProperty('sprite')
    }
  })

  test('has the same layers in both themes', () => {
    const shapeOf = (theme: 'light' | 'dark') =>
      styleOf(theme, options).layers.map(({ id, type }) => `${id} ${type}`)
    expect(shapeOf('dark')).toEqual(shapeOf('light'))
    expect(new Set(shapeOf('light')).size).toBe(shapeOf('light').length)
  })

  test('differs in colour between the themes', () => {
    expect(styleOf('dark', options).layers[0]!.paint).not.toEqual(styleOf('light', options).layers[0]!.paint)
  })

  test('writes only in the type it brings', () => {
    const style = styleOf('light', options)
    const brought = Object.keys(style['font-faces'] ?? {})
    const fonts = style.layers.flatMap((layer) => JSON.stringify(layer.layout?.['text-font' as never] ?? []))
    const named = new Set(fonts.join(' ').match(/(Inter|Noto) [A-Za-z ]+/g))
    for (const font of named) expect(brought).toContain(font)
    expect(named.size).toBeGreaterThan(0)
  })

  test('draws roads under every name', () => {
    const layers = styleOf('dark', options).layers
    const road = layers.findLastIndex(({ id, type }) => id.startsWith('roads') && type === 'line')
    expect(road).toBeGreaterThan(0)
    expect(layers.findIndex(({ type }) => type === 'symbol')).toBeGreaterThan(road)
  })
})

test('names the sources of the data', () => {
  const base = styleOf('light').sources.base as { attribution: string }
  for (const source of ['GSHHG (LGPL)', 'Natural Earth', 'GeoNames (CC BY 4.0)'])
    expect(base.attribution).toContain(source)
})

test('brings its roads with our world, and leaves them out where streets are drawn', () => {
  expect(styleOf('light').sources.roads).toMatchObject({
    tiles: ['pmtiles:///map/roads.pmtiles/{z}/{x}/{y}'],
  })
  expect(styleOf('light', street).sources).not.toHaveProperty('roads')
})

test("lets the user's own style win", () => {
  expect(mapStyle('dark', { ...street, styleUrl: '/own/style.json' })).toBe('/own/style.json')
})

test("draws the user's archive in the schema it has", () => {
  const own = styleOf('light', { tilesUrl: '/map/own.pmtiles' })
  expect(own.sources.base).toMatchObject({ url: 'pmtiles:///map/own.pmtiles' })
  expect(own.layers.map(({ id }) => id)).toContain('place-names')
  expect(styleOf('light', street).layers.map(({ id }) => id)).toContain('places_locality')
})
