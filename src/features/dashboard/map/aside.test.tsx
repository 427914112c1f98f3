import { Map as MapLibre } from 'maplibre-gl'
import { afterEach, expect, test } from 'vitest'
import { prepareMapLibre } from '../../../map/setup.ts'
import { drawAside } from './aside.ts'

const GROUND = [10, 120, 200, 255]

let map: MapLibre | undefined
afterEach(() => {
  map?.getContainer().remove()
  map?.remove()
  map = undefined
})

test('a map is drawn aside, and is on the screen when it is done', async () => {
  const { screen, ...drawn } = await openMap()
  const shown = Promise.withResolvers<number[]>()
  const aside = drawAside(drawn.map, () => shown.resolve(screen()))
  aside.set(true)
  const beneath = Promise.withResolvers<number[]>()
  drawn.map.once('render', () => beneath.resolve(screen()))
  drawn.map.triggerRepaint()
  // What was drawn went elsewhere, and then comes in one piece.
  expect(await beneath.promise).not.toEqual(GROUND)
  expect(await shown.promise).toEqual(GROUND)
  aside.stop()
})

test('what it wants to draw waits until the picture before it is on the screen', async () => {
  const { map } = await openMap()
  const seen: string[] = []
  const all = Promise.withResolvers<void>()
  const aside = drawAside(map, () => {
    seen.push('shown')
    if (seen.length === 6) all.resolve()
  })
  aside.set(true)
  map.on('render', () => {
    seen.push('drawn')
    map.triggerRepaint()
  })
  map.triggerRepaint()
  await all.promise
  aside.stop()
  expect(seen.slice(0, 6)).toEqual(['drawn', 'shown', 'drawn', 'shown', 'drawn', 'shown'])
})

test('a map that moves is drawn on the screen at once, as it is after all is over', async () => {
  const { screen, ...drawn } = await openMap()
  const aside = drawAside(drawn.map, () => undefined)
  const frame = async (): Promise<number[]> => {
    const seen = Promise.withResolvers<number[]>()
    drawn.map.once('render', () => seen.resolve(screen()))
    drawn.map.triggerRepaint()
    return seen.promise
  }
  aside.set(false)
  expect(await frame()).toEqual(GROUND)
  aside.stop()
  expect(await frame()).toEqual(GROUND)
})

/** `screen`: a pixel of what the browser is about to show, whatever stands in between. */
async function openMap(): Promise<{ map: MapLibre; screen(): number[] }> {
  prepareMapLibre()
  const container = document.createElement('div')
  container.style.cssText = 'width: 200px; height: 100px'
  document.body.append(container)
  const opened = new MapLibre({
    container,
    style: {
      version: 8,
      sources: {},
      layers: [
        { id: 'ground', type: 'background', paint: { 'background-color': `rgb(${GROUND.slice(0, 3)})` } },
      ],
    },
    attributionControl: false,
    fadeDuration: 0,
  })
  map = opened
  await opened.once('idle')
  const gl = opened.getCanvas().getContext('webgl2') as WebGL2RenderingContext
  const bind = WebGL2RenderingContext.prototype.bindFramebuffer
  return {
    map: opened,
    screen() {
      const before = gl.getParameter(gl.READ_FRAMEBUFFER_BINDING) as WebGLFramebuffer | null
      const pixel = new Uint8Array(4)
      bind.call(gl, gl.READ_FRAMEBUFFER, null)
      gl.readPixels(20, 20, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel)
      bind.call(gl, gl.READ_FRAMEBUFFER, before)
      return [...pixel]
    },
  }
}
