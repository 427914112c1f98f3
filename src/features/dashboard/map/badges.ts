import { initialsOf } from '../../../layout/incidents/holder-words.ts'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import { FONT, type Palette } from './palette.ts'

/** What a mark says beside its state: the initials of who has it, or that it is shelved. */
type Badge = string
/** By imei, of the devices that have one, and how they are drawn. */
export type Badges = { of: ReadonlyMap<string, Badge>; draw: typeof drawBadge }
/** No initials: these are capitals. */
const SHELVED: Badge = 'shelved'

/** What a mark says of who has what is open there; undefined: nobody has it. */
function badgeOf({ incident: { holder }, shelving }: DeviceIncident): Badge | undefined {
  if (shelving !== undefined) return SHELVED
  return holder === null ? undefined : initialsOf(holder.userName)
}

export function badgesOf(incidents: ReadonlyMap<string, DeviceIncident>): Badges {
  const of = new Map<string, Badge>()
  for (const [imei, open] of incidents) {
    const badge = badgeOf(open)
    if (badge !== undefined) of.set(imei, badge)
  }
  return { of, draw: drawBadge }
}

/** px of the mark: at its lower left, as names stand to the right of marks and the state of a warehouse above */
const AT = { x: 9, y: 31 }
const RADIUS = 8

/** Draws it into the corner of a mark, in ink on the page's own ground: it is no state, and has no colour. */
function drawBadge(ctx: CanvasRenderingContext2D, palette: Palette, badge: Badge): void {
  ctx.beginPath()
  ctx.arc(AT.x, AT.y, RADIUS, 0, 2 * Math.PI)
  ctx.fillStyle = palette.surface
  ctx.fill()
  ctx.strokeStyle = palette.inkSoft
  ctx.lineWidth = 1
  ctx.stroke()
  if (badge === SHELVED) {
    drawBellOff(ctx, palette)
    return
  }
  ctx.fillStyle = palette.ink
  ctx.font = `700 ${badge.length > 1 ? 8.5 : 10}px ${FONT}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(badge, AT.x, AT.y + 0.5)
}

/** The sign that lists have for it, 24 units across. */
const BELL =
  'M10.3 21a2 2 0 0 0 3.4 0M17 17H4a1 1 0 0 1-.7-1.7C4.6 14 6 12.5 6 8a6 6 0 0 1 .3-1.7M2 2l20 20M8.7 3A6 6 0 0 1 18 8c0 2.7.8 4.7 1.7 6'
const BELL_SIZE = 11

function drawBellOff(ctx: CanvasRenderingContext2D, palette: Palette): void {
  ctx.save()
  ctx.translate(AT.x - BELL_SIZE / 2, AT.y - BELL_SIZE / 2)
  ctx.scale(BELL_SIZE / 24, BELL_SIZE / 24)
  ctx.strokeStyle = palette.ink
  ctx.lineWidth = 2.5
  ctx.lineCap = 'round'
  ctx.stroke(new Path2D(BELL))
  ctx.restore()
}
