import type { Device, Texture } from '@luma.gl/core'

/** Where a picture lies in the texture, px of it, which are px of the screen. */
export type Frame = { x: number; y: number; width: number; height: number }

/**
 * Pictures that are drawn once and then as often as they are seen: a circle with its count, a name with its value. They lie
 * side by side in one texture.
 */
export type Sprites = {
  readonly texture: Texture
  /** px of the screen to one of the page that they are drawn for */
  readonly ratio: number
  /** undefined: it is not there yet */
  frame(key: string): Frame | undefined
  /**
   * Draws what is not there yet; false where there is no room left.
   * @param width @param height px of the page, which the context is scaled to
   */
  add(key: string, width: number, height: number, draw: (ctx: CanvasRenderingContext2D) => void): boolean
  /** Forgets all: the theme, the font or the screen are others, or it is full. */
  clear(): void
  destroy(): void
}

const SIDE = 2048
/** Between two pictures, so that none bleeds into its neighbour. */
const GAP = 1

/** Px of the screen to one of the page: another where the page is enlarged, or goes to another screen. */
export const screenRatio = (): number => devicePixelRatio || 1

/** Pictures for the screen as it is. */
export function createSprites(device: Device): Sprites {
  const ratio = screenRatio()
  const texture = device.createTexture({
    format: 'rgba8unorm',
    width: SIDE,
    height: ratio > 1 ? 2 * SIDE : SIDE,
    sampler: { minFilter: 'linear', magFilter: 'linear' },
  })
  const gl = (device as unknown as { gl: WebGL2RenderingContext }).gl
  const sheet = document.createElement('canvas')
  const ctx = sheet.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
  const frames = new Map<string, Frame>()
  let x = 0
  let y = 0
  let rowHeight = 0

  function place(width: number, height: number): Frame | undefined {
    if (x + width > texture.width) {
      x = 0
      y += rowHeight + GAP
      rowHeight = 0
    }
    if (y + height > texture.height) return undefined
    const frame = { x, y, width, height }
    x += width + GAP
    rowHeight = Math.max(rowHeight, height)
    return frame
  }

  /** As blending wants it: colours already weighed by how opaque they are. The map shares the context, so it is left as it was. */
  function upload({ x, y, width, height }: Frame): void {
    const before = gl.getParameter(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL) as boolean
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true)
    texture.copyExternalImage({ image: sheet, x, y, width, height })
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, before)
  }

  return {
    texture,
    ratio,
    frame: (key) => frames.get(key),
    add(key, width, height, draw) {
      if (frames.has(key)) return true
      const frame = place(Math.ceil(width * ratio), Math.ceil(height * ratio))
      if (frame === undefined) return false
      sheet.width = frame.width
      sheet.height = frame.height
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
      draw(ctx)
      upload(frame)
      frames.set(key, frame)
      return true
    },
    clear() {
      frames.clear()
      x = 0
      y = 0
      rowHeight = 0
    },
    destroy: () => texture.destroy(),
  }
}
