import { glyphOf } from '../glyph-of.ts'
import { FONT, type Paint } from './paint-context.ts'
import { SEVERITY_TONES } from './palette.ts'
import type { Mark } from './scene.ts'
import { drawGlyph } from './shapes.ts'

export type ClusterMark = Extract<Mark, { kind: 'cluster' }>

/** A calm cluster is a quiet disc with its count; one in trouble shows its worst state, and how many of how many. */
export function paintCluster({ ctx, palette }: Paint, mark: ClusterMark): void {
  const { x, y, radius, severity, count, trouble } = mark
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
  drawGlyph(ctx, glyphOf(severity), { x, y: y - 9, size: 12, colour: palette[tone.ink] })
  ctx.font = `600 11px ${FONT}`
  ctx.fillStyle = palette.ink
  ctx.fillText(troubleText(trouble, count), x, y + 7)
}

/** "3 of 120"; beyond a thousand, in thousands: "12 of 4.3k". */
export const troubleText = (trouble: number, count: number): string =>
  `${shortCount(trouble)} of ${shortCount(count)}`

export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 10_000) return `${Math.floor(count / 100) / 10}k`
  return `${Math.floor(count / 1000)}k`
}

function circle(ctx: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
}
