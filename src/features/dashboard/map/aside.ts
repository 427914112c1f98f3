import type { Map as MapLibre } from 'maplibre-gl'
import { divertible } from './divertible.ts'

/** Draws a map aside, one picture after the other, and shows each when it is done. */
export type Aside = {
  /** Aside from now on, or at once on the screen: while the map moves it would be a frame late. */
  set(isAside: boolean): void
  /** a picture is being drawn */
  readonly isBusy: boolean
  stop(): void
}

/** How often it is asked whether the picture is done, ms. */
const ASK_MS = 5

/**
 * Without a card the browser fetches what was drawn at the end of the frame, and the page waits until a processor has drawn
 * all of it. Drawn aside first, it is only copied then: the page goes on meanwhile, and what the map wants to draw waits until
 * the picture before it is done.
 * @param onShown a picture that was drawn aside is on the map
 */
export function drawAside(map: MapLibre, onShown: () => void): Aside {
  const gl = map.getCanvas().getContext('webgl2') as WebGL2RenderingContext
  const screen = divertible(gl)
  let isAside = false
  let fence: WebGLSync | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** the map waits with what it wants to draw, and wants to */
  let isHeld = false
  let isAwaited = false
  const triggerRepaint = map.triggerRepaint.bind(map)
  map.triggerRepaint = () => {
    if (isHeld) isAwaited = true
    else triggerRepaint()
  }

  function forget(): void {
    clearTimeout(timer)
    gl.deleteSync(fence)
    fence = null
  }

  /** What the map wanted to draw meanwhile, it draws. */
  function letGo(repaint: () => void): void {
    const isDue = isAwaited
    isHeld = false
    isAwaited = false
    if (isDue) repaint()
  }

  function switchTo(next: boolean): void {
    if (next === isAside) return
    isAside = next
    screen.divert(next)
    if (next) return
    forget()
    letGo(triggerRepaint)
  }

  /** A canvas of another size is empty: the last picture stays until the next one is done. */
  const onResize = (): void => {
    if (isAside) screen.show()
  }

  function onRender(): void {
    if (!isAside) return
    // one that is not done yet, where the map did not ask
    forget()
    isHeld = true
    fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    timer = setTimeout(ask, ASK_MS)
  }

  function ask(): void {
    if (fence === null) return
    if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
      timer = setTimeout(ask, ASK_MS)
      return
    }
    forget()
    screen.show()
    onShown()
    // the browser fetches this one at the end of its frame, and would wait for the next one if that was begun
    requestAnimationFrame(() => setTimeout(() => fence ?? letGo(() => map.redraw())))
  }

  map.on('render', onRender)
  map.on('resize', onResize)
  return {
    set: switchTo,
    get isBusy() {
      return fence !== null
    },
    stop() {
      switchTo(false)
      map.triggerRepaint = triggerRepaint
      map.off('render', onRender)
      map.off('resize', onResize)
      screen.release()
    },
  }
}
