import type { Map as MapLibre } from 'maplibre-gl'
import { divertible } from './divertible.ts'

/** Draws a map at rest aside, and shows it when it is done. */
export type Aside = {
  /** Aside as soon as the map rests, or at once as ever while it moves. */
  set(isAside: boolean): void
  /** a picture is being drawn */
  readonly isBusy: boolean
  stop(): void
}

/** How often it is asked whether the picture is done, ms; at first when most of the time has passed that the last one took. */
const ASK_MS = 10
const MOST_OF_IT = 0.8

/**
 * Without a card the browser fetches what was drawn at the end of the frame, and the page waits until a processor has drawn
 * all of it. Drawn aside first, it is only copied then: the page goes on meanwhile. While the map moves it would be a frame
 * late, so that is for a map at rest.
 * @param onShown a picture that was drawn aside is on the map
 */
export function drawAside(map: MapLibre, onShown: () => void): Aside {
  const gl = map.getCanvas().getContext('webgl2') as WebGL2RenderingContext
  const screen = divertible(gl)
  let isWanted = false
  let isAside = false
  let fence: WebGLSync | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let beganAt = 0
  /** ms that the last picture took */
  let took = 0

  function forget(): void {
    clearTimeout(timer)
    gl.deleteSync(fence)
    fence = null
  }

  function switchTo(next: boolean): void {
    if (next === isAside) return
    isAside = next
    screen.divert(next)
    if (!next) forget()
  }

  /** Nothing loads, fades or flies. */
  const onIdle = (): void => switchTo(isWanted)

  function onRender(): void {
    if (!isAside) return
    if (fence !== null) {
      // Drawn again before it was done: it is no map at rest, and the screen sets the pace.
      switchTo(false)
      map.triggerRepaint()
      return
    }
    fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    gl.flush()
    beganAt = performance.now()
    timer = setTimeout(ask, Math.max(ASK_MS, took * MOST_OF_IT))
  }

  function ask(): void {
    if (fence === null) return
    if (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
      timer = setTimeout(ask, ASK_MS)
      return
    }
    took = performance.now() - beganAt
    forget()
    screen.show()
    onShown()
  }

  map.on('render', onRender)
  map.on('idle', onIdle)
  return {
    set(next) {
      isWanted = next
      if (!next) switchTo(false)
    },
    get isBusy() {
      return fence !== null
    },
    stop() {
      switchTo(false)
      map.off('render', onRender)
      map.off('idle', onIdle)
      screen.release()
    },
  }
}
