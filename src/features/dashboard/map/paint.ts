import { STATUS_MASK } from '#machines/contracts/device-state.ts'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { formatTemperature } from '../../../format/numbers.ts'
import { temperatureColour } from '../../../format/temperature-colour.ts'
import { glyphOf, isTrouble } from '../../../layout/glyph-of.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Box, placeLabels } from './labels.ts'
import { paintCluster } from './paint-cluster.ts'
import { FONT, type Paint } from './paint-context.ts'
import { SEVERITY_TONES } from './palette.ts'
import type { Mark, Scene } from './scene.ts'
import { arrow, drawGlyph, warehouse } from './shapes.ts'

export type DeviceMark = Extract<Mark, { kind: 'device' }>
const NAME_FONT = `500 12px ${FONT}`
const VALUE_FONT = `600 12px ${FONT}`
const LINE_HEIGHT = 15
const MOST_LABELS = 60
/** Above so many devices in sight no label would be read. */
const TOO_MANY_TO_NAME = 400
const LONGEST_NAME = 22

/** A device's name and value on the map: it is pressed like its mark. */
export type Placed = { box: Box; mark: DeviceMark }

/** Paints a scene from scratch; answers where its labels are. */
export function paintScene(paint: Paint, scene: Scene, fleet: Fleet): Placed[] {
  const { ctx, width, height } = paint
  ctx.clearRect(0, 0, width, height)
  for (const mark of scene.marks) {
    if (mark.kind === 'cluster') paintCluster(paint, mark)
    else paintDevice(paint, mark, fleet)
  }
  return paintLabels(paint, scene.marks, fleet)
}

function paintDevice({ ctx, palette }: Paint, mark: DeviceMark, { columns }: Fleet): void {
  const { x, y, row, severity, radius } = mark
  const ink = palette[SEVERITY_TONES[severity]?.ink ?? 'fine']
  ctx.save()
  ctx.translate(x, y)
  if (isTrouble(severity)) disc(ctx, 16, palette[SEVERITY_TONES[severity]?.soft ?? 'surface'], 0.85)
  if (mark.isSelected) ringed(ctx, 17, palette.accent, 3)
  ctx.fillStyle = ink
  ctx.strokeStyle = palette.surface
  ctx.lineJoin = 'round'
  if (columns.kind[row] === 1) {
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
  } else if (isMoving(columns.speed[row] as number, columns.heading[row] as number)) {
    ctx.rotate(((columns.heading[row] as number) * Math.PI) / 180)
    if (radius < 8) ctx.scale(0.62, 0.62)
    ctx.lineWidth = 3
    ctx.stroke(arrow)
    ctx.fill(arrow)
  } else {
    ctx.lineWidth = 2
    ctx.beginPath()
    ctx.arc(0, 0, radius < 8 ? 3 : 5, 0, 2 * Math.PI)
    ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
  if (severity > 0 && radius >= 8) {
    ctx.fillStyle = palette.surface
    ctx.beginPath()
    ctx.arc(x + 9, y - 9, 7.5, 0, 2 * Math.PI)
    ctx.fill()
    drawGlyph(ctx, glyphOf(severity), { x: x + 9, y: y - 9, size: 10, colour: ink })
  }
}

const isMoving = (speed: number, heading: number): boolean =>
  heading !== READING_FIELDS.heading.missing && speed !== READING_FIELDS.speed.missing && speed > 0

function disc(ctx: CanvasRenderingContext2D, radius: number, colour: string, alpha: number): void {
  ctx.globalAlpha = alpha
  ctx.fillStyle = colour
  ctx.beginPath()
  ctx.arc(0, 0, radius, 0, 2 * Math.PI)
  ctx.fill()
  ctx.globalAlpha = 1
}

function ringed(ctx: CanvasRenderingContext2D, radius: number, colour: string, width: number): void {
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.beginPath()
  ctx.arc(0, 0, radius, 0, 2 * Math.PI)
  ctx.stroke()
}

type Label = { mark: DeviceMark; name: string; value: string; width: number; height: number }

function paintLabels(paint: Paint, marks: readonly Mark[], fleet: Fleet): Placed[] {
  // The selected one has its card where there is room for one.
  const devices = marks.filter(
    (mark): mark is DeviceMark => mark.kind === 'device' && !(mark.isSelected && paint.hasCard),
  )
  if (devices.length === 0) return []
  // The worst come first, and are the last in the order of painting.
  const named = (devices.length > TOO_MANY_TO_NAME ? devices.filter(isNotable) : devices).reverse()
  const labels = named.slice(0, 2 * MOST_LABELS).map((mark) => labelOf(paint.ctx, mark, fleet))
  const boxes = placeLabels(
    labels.map((label) => ({ ...label, x: label.mark.x, y: label.mark.y, radius: label.mark.radius + 2 })),
    marks.map(boxOf),
    paint,
    MOST_LABELS,
  )
  return boxes.flatMap((box, i) => {
    if (box === undefined) return []
    const label = labels[i] as Label
    paintLabel(paint, label, box, fleet)
    return [{ box, mark: label.mark }]
  })
}

const isNotable = (mark: DeviceMark): boolean => mark.isSelected || isTrouble(mark.severity)
const boxOf = ({ x, y, radius }: Mark): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
})

function labelOf(ctx: CanvasRenderingContext2D, mark: DeviceMark, { columns, names }: Fleet): Label {
  const whole = names.of(mark.row, 'name')
  const name = whole.length > LONGEST_NAME ? `${whole.slice(0, LONGEST_NAME - 1)}…` : whole
  const stored = columns.temperature[mark.row] as number
  const { missing, scale } = READING_FIELDS.temperature
  const value = formatTemperature(stored === missing ? null : stored / scale)
  const width = Math.max(widthOf(ctx, NAME_FONT, name), widthOf(ctx, VALUE_FONT, value)) + 10
  return { mark, name, value, width, height: 2 * LINE_HEIGHT + 4 }
}

function paintLabel({ ctx, palette, scheme, isStale }: Paint, label: Label, box: Box, fleet: Fleet): void {
  const { columns, groups } = fleet
  const { row, isSelected } = label.mark
  const isOnline = !isStale && ((columns.state[row] as number) & STATUS_MASK) === 0
  ctx.globalAlpha = 0.9
  ctx.fillStyle = palette.surface
  ctx.beginPath()
  ctx.roundRect(box.x, box.y, box.width, box.height, 5)
  ctx.fill()
  ctx.globalAlpha = 1
  if (isSelected) {
    ctx.strokeStyle = palette.accent
    ctx.lineWidth = 1.5
    ctx.stroke()
  }
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  ctx.font = NAME_FONT
  // What is no longer heard of fades.
  ctx.fillStyle = isOnline ? palette.ink : palette.inkFaint
  ctx.fillText(label.name, box.x + 5, box.y + 2 + LINE_HEIGHT / 2)
  ctx.font = VALUE_FONT
  const stored = columns.temperature[row] as number
  const group = groups.list[columns.group[row] as number]
  ctx.fillStyle =
    !isOnline || group === undefined || stored === READING_FIELDS.temperature.missing
      ? palette.inkFaint
      : temperatureColour(
          stored / READING_FIELDS.temperature.scale,
          { low: group.lowTemperatureThreshold, high: group.highTemperatureThreshold },
          scheme,
        )
  ctx.fillText(label.value, box.x + 5, box.y + 2 + LINE_HEIGHT * 1.5)
}

/** Measuring text is most of the cost of a label, and names come again each time. */
const widths = new Map<string, number>()

function widthOf(ctx: CanvasRenderingContext2D, font: string, text: string): number {
  const key = font + text
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size > 5000) widths.clear()
  ctx.font = font
  const { width } = ctx.measureText(text)
  widths.set(key, width)
  return width
}

/** Forgets measured texts: the font has come. */
export const forgetWidths = (): void => widths.clear()
