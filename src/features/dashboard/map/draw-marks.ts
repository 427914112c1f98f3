import { glyphOf, isTrouble } from '../../../layout/glyph-of.ts'
import { type Palette, SEVERITY_TONES } from './palette.ts'
import { drawGlyph, warehouse } from './shapes.ts'

/** px across of what stands for a device by itself */
export const MARK = 40

/** A device in trouble or lost: its state, large, on a ground of its own. */
export function drawTrouble(ctx: CanvasRenderingContext2D, palette: Palette, severity: number): void {
  const { ink, soft } = SEVERITY_TONES[severity] ?? { ink: 'fine', soft: 'surface' }
  const isOut = isTrouble(severity)
  disc(ctx, isOut ? 12 : 9, palette[soft], palette.surface)
  drawGlyph(ctx, glyphOf(severity), {
    x: MARK / 2,
    y: MARK / 2 - (isOut ? 0.5 : 0),
    size: isOut ? 15 : 12,
    colour: palette[ink],
  })
}

/** A warehouse: a server on a plate, in the colour of its state, which stands at its corner where something is wrong. */
export function drawWarehouse(ctx: CanvasRenderingContext2D, palette: Palette, severity: number): void {
  const ink = palette[SEVERITY_TONES[severity]?.ink ?? 'fine']
  ctx.save()
  ctx.translate(MARK / 2, MARK / 2)
  ctx.beginPath()
  ctx.roundRect(-10, -10, 20, 20, 5)
  ctx.fillStyle = palette.surface
  ctx.fill()
  ctx.strokeStyle = ink
  ctx.lineWidth = 1.25
  ctx.stroke()
  ctx.fillStyle = ink
  ctx.scale(0.9, 0.9)
  ctx.fill(warehouse, 'evenodd')
  ctx.restore()
  if (severity === 0) return
  ctx.fillStyle = palette.surface
  ctx.beginPath()
  ctx.arc(MARK / 2 + 9, MARK / 2 - 9, 7.5, 0, 2 * Math.PI)
  ctx.fill()
  drawGlyph(ctx, glyphOf(severity), { x: MARK / 2 + 9, y: MARK / 2 - 9, size: 10, colour: ink })
}

/** Around the selected device. */
export function drawHalo(ctx: CanvasRenderingContext2D, palette: Palette): void {
  ctx.beginPath()
  ctx.arc(MARK / 2, MARK / 2, 17, 0, 2 * Math.PI)
  ctx.strokeStyle = palette.surface
  ctx.lineWidth = 5
  ctx.stroke()
  ctx.strokeStyle = palette.accent
  ctx.lineWidth = 3
  ctx.stroke()
}

function disc(ctx: CanvasRenderingContext2D, radius: number, fill: string, edge: string): void {
  ctx.beginPath()
  ctx.arc(MARK / 2, MARK / 2, radius, 0, 2 * Math.PI)
  ctx.fillStyle = fill
  ctx.fill()
  ctx.strokeStyle = edge
  ctx.lineWidth = 1.5
  ctx.stroke()
}
