import { STATUS_MASK } from '#machines/contracts/device-state.ts'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { formatTemperature } from '../../../format/numbers.ts'
import { type Scheme, temperatureColour } from '../../../format/temperature-colour.ts'
import { isTrouble } from '../../../layout/glyph-of.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { type Box, placeLabels } from './labels.ts'
import { FONT, type Palette } from './palette.ts'
import { type Mark, MOST_LABELS, type Place } from './scene.ts'

export type DeviceMark = Extract<Mark, { kind: 'device' }>
/** A device's name and value on the map, in their colours: pressed like its mark. */
export type Label = {
  mark: DeviceMark
  name: string
  value: string
  nameTone: string
  valueTone: string
  isSelected: boolean
  box: Box
}

export type LabelInput = {
  marks: readonly Mark[]
  /** where something is wrong that no name may hide, px */
  wrong: readonly Place[]
  fleet: Fleet
  palette: Palette
  scheme: Scheme
  /** px */
  width: number
  height: number
  /** boxes of the map that something lies on, px */
  covered: readonly Box[]
  /** the selected device is named by a card beside it */
  hasCard: boolean
  /** the link is lost: values are those of then */
  isStale: boolean
}

const NAME_FONT = `500 12px ${FONT}`
const VALUE_FONT = `600 12px ${FONT}`
const LINE_HEIGHT = 15
/** Above so many devices in sight no label would be read. */
const TOO_MANY_TO_NAME = 400
const LONGEST_NAME = 22

/** Names and values of the devices in sight for which there is room, the worst first. */
export function labelsOf(input: LabelInput): Label[] {
  const { marks } = input
  // The selected one has its card where there is room for one.
  const devices = marks.filter(
    (mark): mark is DeviceMark => mark.kind === 'device' && !(mark.isSelected && input.hasCard),
  )
  if (devices.length === 0) return []
  // The worst come first, and are the last in the order of drawing.
  const named = (devices.length > TOO_MANY_TO_NAME ? devices.filter(isNotable) : devices).reverse()
  const labels = named.slice(0, 2 * MOST_LABELS).map((mark) => labelOf(mark, input))
  const boxes = placeLabels(
    labels.map(({ mark, box }) => ({
      x: mark.x,
      y: mark.y,
      radius: mark.radius + 2,
      width: box.width,
      height: box.height,
    })),
    [...marks.map(boxOf), ...input.wrong.map(pointBox), ...input.covered],
    input,
    MOST_LABELS,
  )
  return boxes.flatMap((box, i) => (box === undefined ? [] : [{ ...(labels[i] as Label), box }]))
}

const isNotable = (mark: DeviceMark): boolean => mark.isSelected || isTrouble(mark.severity)
const boxOf = ({ x, y, radius }: Pick<Mark, 'x' | 'y' | 'radius'>): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
})

/** px from the middle of a point to its edge */
const POINT_RADIUS = 5
const pointBox = ({ x, y }: Place): Box => boxOf({ x, y, radius: POINT_RADIUS })

function labelOf(mark: DeviceMark, { fleet, palette, scheme, isStale }: LabelInput): Label {
  const { columns, names, groups } = fleet
  const whole = names.of(mark.row, 'name')
  const name = whole.length > LONGEST_NAME ? `${whole.slice(0, LONGEST_NAME - 1)}…` : whole
  const stored = columns.temperature[mark.row] as number
  const { missing, scale } = READING_FIELDS.temperature
  const value = formatTemperature(stored === missing ? null : stored / scale)
  const group = groups.list[columns.group[mark.row] as number]
  const isOnline = !isStale && ((columns.state[mark.row] as number) & STATUS_MASK) === 0
  return {
    mark,
    name,
    value,
    // What is no longer heard of fades.
    nameTone: isOnline ? palette.ink : palette.inkFaint,
    valueTone:
      !isOnline || group === undefined || stored === missing
        ? palette.inkFaint
        : temperatureColour(
            stored / scale,
            { low: group.lowTemperatureThreshold, high: group.highTemperatureThreshold },
            scheme,
          ),
    isSelected: mark.isSelected,
    box: {
      x: 0,
      y: 0,
      width: Math.ceil(Math.max(widthOf(NAME_FONT, name), widthOf(VALUE_FONT, value)) + 10),
      height: 2 * LINE_HEIGHT + 4,
    },
  }
}

/** Draws one in the corner of a context. */
export function drawLabel(ctx: CanvasRenderingContext2D, palette: Palette, label: Label): void {
  const { name, value, nameTone, valueTone, isSelected } = label
  const { width, height } = label.box
  ctx.globalAlpha = 0.9
  ctx.fillStyle = palette.surface
  ctx.beginPath()
  ctx.roundRect(0.75, 0.75, width - 1.5, height - 1.5, 5)
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
  ctx.fillStyle = nameTone
  ctx.fillText(name, 5, 2 + LINE_HEIGHT / 2)
  ctx.font = VALUE_FONT
  ctx.fillStyle = valueTone
  ctx.fillText(value, 5, 2 + LINE_HEIGHT * 1.5)
}

/** Measuring text is most of the cost of a label, and names come again each time. */
const widths = new Map<string, number>()
let ruler: OffscreenCanvasRenderingContext2D | undefined

function widthOf(font: string, text: string): number {
  const key = font + text
  const known = widths.get(key)
  if (known !== undefined) return known
  if (widths.size > 5000) widths.clear()
  ruler ??= new OffscreenCanvas(1, 1).getContext('2d') ?? undefined
  if (ruler === undefined) return 7 * text.length
  ruler.font = font
  const { width } = ruler.measureText(text)
  widths.set(key, width)
  return width
}

/** Forgets measured texts: the font has come. */
export const forgetWidths = (): void => widths.clear()
