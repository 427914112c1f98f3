import { shortCount } from '../../../format/numbers.ts'
import { glyphOf } from '../../../layout/glyph-of.ts'
import { FONT, type Palette, SEVERITY_TONES } from './palette.ts'
import type { Mark } from './scene.ts'
import { drawGlyph } from './shapes.ts'

export type ClusterMark = Extract<Mark, { kind: 'cluster' }>

/** A calm cluster is a quiet disc with its count; one in trouble shows its worst state, and how many of how many. */
export function drawCluster(
  ctx: CanvasRenderingContext2D,
  palette: Palette,
  {
    x,
    y,
    radius,
    severity,
    count,
    trouble,
  }: Pick<ClusterMark, 'x' | 'y' | 'radius' | 'severity' | 'count' | 'trouble'>,
): void {
  const tone = SEVERITY_TONES[severity] ?? { ink: 'fine', soft: 'surface' }
  ctx.globalAlpha = 0.92
  ctx.fillStyle = palette.surface
  circle(ctx, x, y, radius)
  ctx.fill()
  ctx.globalAlpha = 1
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  if (trouble === 0) {
    ctx.strokeStyle = palette.line
    ctx.lineWidth = 1
    ctx.stroke()
    ctx.font = `600 12px ${FONT}`
    ctx.fillStyle = palette.inkSoft
    ctx.fillText(shortCount(count), x, y + 0.5)
    return
  }
  ctx.strokeStyle = palette[tone.soft]
  ctx.lineWidth = 4
  circle(ctx, x, y, radius - 2)
  ctx.stroke()
  ctx.strokeStyle = palette[tone.ink]
  ctx.beginPath()
  const share = Math.max(0.06, trouble / count)
  ctx.arc(x, y, radius - 2, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI)
  ctx.stroke()
  const many = shortCount(trouble)
  ctx.font = `600 13px ${FONT}`
  const left = x - (GLYPH + 3 + ctx.measureText(many).width) / 2
  drawGlyph(ctx, glyphOf(severity), { x: left + GLYPH / 2, y: y - 7, size: GLYPH, colour: palette[tone.ink] })
  ctx.textAlign = 'left'
  ctx.fillStyle = palette.ink
  ctx.fillText(many, left + GLYPH + 3, y - 6)
  ctx.textAlign = 'center'
  ctx.font = `500 11px ${FONT}`
  ctx.fillStyle = palette.inkSoft
  ctx.fillText(`of ${shortCount(count)}`, x, y + 9)
}

const GLYPH = 11

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
}
