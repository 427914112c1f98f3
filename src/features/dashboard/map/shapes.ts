import type { GlyphState } from '../../../ui/state-glyph.tsx'

/** Outlines for the canvas. The glyphs are those of ui/state-glyph.tsx, in the same box of 12 by 12. */
type Outline = { path: Path2D; isFilled: boolean; dash?: number[]; dashOffset?: number }

const drop = 'M6 .9C7.6 3.1 9.6 5.2 9.6 7.5a3.6 3.6 0 0 1-7.2 0C2.4 5.2 4.4 3.1 6 .9Z'
const ring = 'M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9Z'

export const glyphs: Record<GlyphState, Outline> = {
  hot: { path: new Path2D('M6 1.2 11.3 10.6H.7Z'), isFilled: true },
  cold: { path: new Path2D('M6 10.8.7 1.4h10.6Z'), isFilled: true },
  humid: { path: new Path2D(drop), isFilled: true },
  dry: { path: new Path2D(drop), isFilled: false },
  disconnected: { path: new Path2D(ring), isFilled: false },
  offline: { path: new Path2D(ring), isFilled: false, dash: [5.27, 1.8], dashOffset: -0.9 },
  fine: { path: new Path2D('M6 3.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5Z'), isFilled: true },
}

/** A warehouse from the front, 16 by 16 around the origin: a roof, walls and a gate. */
export const WAREHOUSE =
  'M-7-1.6 0-6.4 7-1.6V6.4H4V.6H-4V6.4H-7Z M-2.4 2.4H2.4V3.8H-2.4Z M-2.4 5H2.4V6.4H-2.4Z'
export const warehouse = new Path2D(WAREHOUSE)

/** Draws a glyph of `size` px around a point. */
export function drawGlyph(
  ctx: CanvasRenderingContext2D,
  state: GlyphState,
  { x, y, size, colour }: { x: number; y: number; size: number; colour: string },
): void {
  const { path, isFilled, dash, dashOffset } = glyphs[state]
  ctx.save()
  ctx.translate(x - size / 2, y - size / 2)
  ctx.scale(size / 12, size / 12)
  ctx.fillStyle = colour
  ctx.strokeStyle = colour
  ctx.lineWidth = isFilled ? 1 : 1.6
  ctx.lineJoin = 'round'
  if (dash) ctx.setLineDash(dash)
  ctx.lineDashOffset = dashOffset ?? 0
  if (isFilled) ctx.fill(path)
  ctx.stroke(path)
  ctx.restore()
}
