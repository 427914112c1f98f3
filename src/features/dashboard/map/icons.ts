import { shortCount } from '../../../format/numbers.ts'
import type { Badges } from './badges.ts'
import { type Camera, worldPx } from './camera.ts'
import { drawCluster } from './draw-cluster.ts'
import { drawHalo, drawTrouble, drawWarehouse, MARK } from './draw-marks.ts'
import { drawLabel, type Label } from './name-labels.ts'
import type { Palette } from './palette.ts'
import type { Picture } from './picture-layer.ts'
import type { Mark, Rings, Scene } from './scene.ts'
import type { Sprites } from './sprites.ts'

/** A text on the map, where it stands, px of the map. */
export type MapText = { text: string; x: number; y: number }

/** One picture on the map. `isBelow`: under the points of what is wrong. */
export type Icon = Picture & { isBelow: boolean; texts: readonly MapText[] }

export type IconsInput = {
  scene: Scene
  labels: readonly Label[]
  sprites: Sprites
  palette: Palette
  camera: Camera
  /** 1: a warehouse */
  kinds: Uint8Array
  /** who has what is open; undefined: not known yet */
  badges: Badges | undefined
  /** whose load somebody must look at; undefined: not known yet */
  rings: Rings | undefined
  imeiOf: (row: number) => string
}

/** What is drawn as pictures: circles, what is wrong, warehouses, the selected device, names. */
export function iconsOf(input: IconsInput): Icon[] {
  const icons = pictured(input)
  if (icons !== undefined) return icons
  // It was full of what is no longer seen.
  input.sprites.clear()
  return pictured(input) ?? []
}

function pictured({
  scene,
  labels,
  sprites,
  palette,
  camera,
  kinds,
  badges,
  rings,
  imeiOf,
}: IconsInput): Icon[] | undefined {
  const icons: Icon[] = []
  const world = worldPx(camera.zoom)
  const { ratio } = sprites
  /** Centred on a point, but on whole px of the screen, so that texts are sharp. */
  function put(key: string, x: number, y: number, isBelow: boolean, texts: readonly MapText[] = []): void {
    const frame = sprites.frame(key)
    if (frame === undefined) return
    const { width, height } = frame
    const atX = (Math.round(x * ratio - width / 2) + width / 2) / ratio
    const atY = (Math.round(y * ratio - height / 2) + height / 2) / ratio
    icons.push({
      x: camera.x + (atX - camera.width / 2) / world,
      y: camera.y + (atY - camera.height / 2) / world,
      frame,
      isBelow,
      texts,
    })
  }

  for (const mark of scene.marks) {
    if (mark.kind === 'cluster') {
      const { count, trouble, severity, radius, x, y } = mark
      const key = `circle ${severity} ${trouble} ${count}`
      const side = 2 * Math.ceil(radius) + 4
      const at = { ...mark, x: side / 2, y: side / 2 }
      if (!sprites.add(key, side, side, (ctx) => drawCluster(ctx, palette, at))) return undefined
      put(key, x, y, true, textsOf(mark))
      continue
    }
    const isWarehouse = kinds[mark.row] === 1
    if (mark.isSelected) {
      if (!sprites.add('halo', MARK, MARK, (ctx) => drawHalo(ctx, palette))) return undefined
      put('halo', mark.x, mark.y, false)
    }
    const { ring } = mark
    if (mark.severity === 0 && !isWarehouse && ring === undefined) continue
    const badge = mark.severity === 0 ? undefined : badges?.of.get(imeiOf(mark.row))
    // with its badge and its ring it is one picture
    const key = `${isWarehouse ? 'warehouse' : 'trouble'} ${mark.severity} ${badge ?? ''} ${ring ?? ''}`
    const draw = (ctx: CanvasRenderingContext2D): void => {
      if (ring !== undefined) rings?.draw(ctx, palette, ring)
      // a calm vehicle is a point, and the ring lies around that
      if (mark.severity === 0 && !isWarehouse) return
      if (isWarehouse) drawWarehouse(ctx, palette, mark.severity)
      else drawTrouble(ctx, palette, mark.severity)
      if (badge !== undefined) badges?.draw(ctx, palette, badge)
    }
    if (!sprites.add(key, MARK, MARK, draw)) return undefined
    const texts = [badge, ring].filter((text) => text !== undefined)
    put(
      key,
      mark.x,
      mark.y,
      false,
      texts.map((text) => ({ text, x: mark.x, y: mark.y })),
    )
  }
  for (const label of labels) {
    const { name, value, nameTone, valueTone, isSelected, box } = label
    const key = `label ${name} ${value} ${nameTone} ${valueTone} ${isSelected}`
    if (!sprites.add(key, box.width, box.height, (ctx) => drawLabel(ctx, palette, label))) return undefined
    const { x, y } = box
    put(key, x + box.width / 2, y + box.height / 2, false, [
      { text: name, x, y },
      { text: value, x, y },
    ])
  }
  return icons
}

function textsOf({ count, trouble, x, y }: Extract<Mark, { kind: 'cluster' }>): MapText[] {
  if (trouble === 0) return [{ text: shortCount(count), x, y }]
  return [
    { text: shortCount(trouble), x, y },
    { text: `of ${shortCount(count)}`, x, y },
  ]
}
