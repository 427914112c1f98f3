import type { Scheme } from '../../../format/temperature-colour.ts'
import { type Clusters, clusterBox, clusterFleet } from '../../../read-model/clusters.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Camera, viewOf } from './camera.ts'
import { holds } from './labels.ts'
import { type Placed, paintScene } from './paint.ts'
import type { Palette } from './palette.ts'
import { buildScene, hitTest, type Mark, type Scene } from './scene.ts'

export type FleetLayer = {
  /** Looks elsewhere; painted before it returns, so that it moves with the map below. */
  look(camera: Camera): void
  /** 1 for rows to show; all where undefined */
  setMask(mask: Uint8Array | undefined): void
  select(imei: string | null): void
  tone(palette: Palette, scheme: Scheme): void
  /** What is drawn at a point of the canvas, px. */
  hit(x: number, y: number, slack?: number): Mark | undefined
  /** Paints anew at the next frame: the font has come, the window is another. */
  refresh(): void
  stop(): void
}

export type FleetLayerDeps = {
  canvas: HTMLCanvasElement
  fleet: Fleet
  /** real ms that a span of the house's clock takes */
  realMs(span: number): number
  prefersLessMotion(): boolean
  /** whether the selected device has a card beside it */
  hasCard(): boolean
  /** whether the link is lost */
  isStale(): boolean
  /** they are on the screen */
  onFirstMarkers(): void
  /** after each painting: where the selected device is drawn, null where it is out of sight */
  onPainted(selected: { x: number; y: number } | null, scene: Scene): void
}

/** Between two paintings while the map rests, ms: of a fleet up to LARGE devices, and above. */
const REST_MS = 500
const REST_MS_LARGE = 1000
const LARGE = 20_000
/** While something glides and little is in sight: as often as a step of one px asks for, but no more often than this. */
const GLIDE_MS = 100
const FEW = 60
/** Sharper than this costs memory and is not seen. */
const MOST_DPR = 2

const NO_CLUSTERS = { length: 0, singles: new Uint32Array() } as Clusters

/**
 * The fleet as one canvas over the map. It paints by itself while the map rests (twice a second at most, so that
 * 100,000 devices cost little) and in the same frame as the map while that moves.
 */
export function createFleetLayer(deps: FleetLayerDeps): FleetLayer {
  const { canvas, fleet } = deps
  const ctx = contextOf(canvas)
  let camera: Camera | undefined
  let mask: Uint8Array | undefined
  let palette: Palette | undefined
  let scheme: Scheme = 'light'
  let selected: string | null = null
  let clusters = NO_CLUSTERS
  let boxKey = ''
  let isStale = true
  let labels: Placed[] = []
  let scene: Scene = { marks: [], pxPerSecond: 0 }
  let paintedAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let isFirst = true
  let isOver = false

  function paint(): void {
    if (camera === undefined || palette === undefined) return
    sharpen(canvas, ctx, camera)
    const box = clusterBox(viewOf(camera))
    if (isStale || box.key !== boxKey) {
      clusters = fleet.columns.size === 0 ? NO_CLUSTERS : clusterFleet(fleet, box, mask)
      boxKey = box.key
      isStale = false
    }
    const now = performance.now()
    const motion = { now, realMs: deps.realMs, isStill: deps.prefersLessMotion() }
    const selectedRow = selected === null ? -1 : fleet.names.rowOf(selected)
    scene = buildScene({ columns: fleet.columns, clusters, camera, motion, selectedRow })
    const { width, height } = camera
    labels = paintScene(
      { ctx, palette, scheme, width, height, hasCard: deps.hasCard(), isStale: deps.isStale() },
      scene,
      fleet,
    )
    paintedAt = now
    const mark = scene.marks.at(-1)
    deps.onPainted(mark?.kind === 'device' && mark.isSelected ? mark : null, scene)
    if (isFirst && scene.marks.length > 0) {
      isFirst = false
      afterFrame(() => {
        performance.mark('frostline:first-markers')
        deps.onFirstMarkers()
      })
    }
    if (scene.pxPerSecond > 0) later(glidePause(scene))
  }

  /** Paints in `pause` ms after the last painting, once however often it is asked for; the sooner wish counts. */
  let due = Number.POSITIVE_INFINITY
  function later(pause: number): void {
    const at = Math.max(performance.now(), paintedAt + pause)
    if (at >= due) return
    due = at
    clearTimeout(timer)
    timer = setTimeout(pause > 0 ? onNews : onFrame, at - performance.now())
  }

  /** News may wait for somebody who types; what the visitor did to the map may not. */
  function onNews(): void {
    due = Number.POSITIVE_INFINITY
    const asked = performance.now()
    fleet.nextFrame(() => {
      if (!isOver && paintedAt < asked) paint()
    })
  }

  function onFrame(): void {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      due = Number.POSITIVE_INFINITY
      paint()
    })
  }

  const restPause = (): number => (fleet.columns.size > LARGE ? REST_MS_LARGE : REST_MS)
  const glidePause = ({ marks, pxPerSecond }: Scene): number =>
    marks.length > FEW ? restPause() : Math.min(restPause(), Math.max(GLIDE_MS, 1000 / pxPerSecond))

  const unsubscribe = fleet.subscribe(() => {
    isStale = true
    later(isFirst ? 0 : restPause())
  })

  function anew(): void {
    isStale = true
    later(0)
  }

  return {
    look(next) {
      camera = next
      paint()
    },
    setMask(next) {
      mask = next
      anew()
    },
    select(imei) {
      selected = imei
      later(0)
    },
    tone(nextPalette, nextScheme) {
      palette = nextPalette
      scheme = nextScheme
      later(0)
    },
    hit: (x, y, slack) =>
      hitTest(scene.marks, x, y, slack) ?? labels.find(({ box }) => holds(box, x, y))?.mark,
    refresh: anew,
    stop() {
      isOver = true
      unsubscribe()
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    },
  }
}

/** Once what was painted is on the screen. */
function afterFrame(call: () => void): void {
  requestAnimationFrame(() => setTimeout(call))
}

/** px of the screen up to which a canvas is painted without the GPU. */
const MOST_WITHOUT_GPU = 4_000_000

/**
 * Where the GPU is only pretended (virtual desktops, remote sessions, test browsers), shapes and text drawn by it hold up
 * the whole page for seconds; painted by the processor they take a few milliseconds everywhere. Walls are too large for that.
 */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const dpr = Math.min(MOST_DPR, devicePixelRatio || 1)
  const size = canvas.clientWidth * canvas.clientHeight * dpr * dpr
  return canvas.getContext('2d', {
    willReadFrequently: size <= MOST_WITHOUT_GPU,
  }) as CanvasRenderingContext2D
}

/** Gives the canvas the size of the map in px of the screen, and its context the px of the page. */
function sharpen(canvas: HTMLCanvasElement, ctx: CanvasRenderingContext2D, { width, height }: Camera): void {
  const dpr = Math.min(MOST_DPR, devicePixelRatio || 1)
  const [w, h] = [Math.round(width * dpr), Math.round(height * dpr)]
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w
    canvas.height = h
  }
  ctx.setTransform(dpr, 0, 0, dpr, 0, 0)
}
