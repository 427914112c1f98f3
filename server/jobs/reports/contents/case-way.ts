import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import { ACCENT, type Box, type Doc, FAINT, HOT, INK, QUIET, TABULAR } from './pdf-page.ts'

type Point = { at: number; x: number; y: number }
const ROOM = 14
/** Less than this is standing, degrees of latitude: some 200 m. */
const LEAST = 0.002
const KM_A_DEGREE = 111.2

/**
 * The way of a device, north up, the part while it was out of its limits in another colour, with a scale. Nothing is drawn where
 * no position is known. @returns whether anything was
 */
export function drawWay(
  doc: Doc,
  box: Box,
  readings: ReadingColumns,
  out: { from: number; to: number },
): boolean {
  const places = placesOf(readings)
  if (places.length === 0) return false
  const lats = places.map(({ lat }) => lat)
  const lngs = places.map(({ lng }) => lng)
  const [south, north, west, east] = [
    Math.min(...lats),
    Math.max(...lats),
    Math.min(...lngs),
    Math.max(...lngs),
  ]
  const middle = { lat: (south + north) / 2, lng: (west + east) / 2 }
  const narrow = Math.cos((middle.lat * Math.PI) / 180)
  const scale = Math.min(
    (box.width - 2 * ROOM) / Math.max(LEAST, (east - west) * narrow),
    (box.height - 2 * ROOM) / Math.max(LEAST, north - south),
  )
  const points = places.map(({ at, lat, lng }) => ({
    at,
    x: box.x + box.width / 2 + (lng - middle.lng) * narrow * scale,
    y: box.y + box.height / 2 - (lat - middle.lat) * scale,
  }))
  doc.rect(box.x, box.y, box.width, box.height).lineWidth(0.4).strokeColor(FAINT).stroke()
  drawLine(doc, points, ACCENT)
  drawLine(
    doc,
    points.filter(({ at }) => at >= out.from && at <= out.to),
    HOT,
  )
  const [first, last] = [points[0] as Point, points.at(-1) as Point]
  doc.circle(first.x, first.y, 2.5).lineWidth(1).strokeColor(INK).stroke()
  doc.circle(last.x, last.y, 2.5).fill(INK)
  drawScale(doc, box, scale)
  return true
}

function placesOf(columns: ReadingColumns): { at: number; lat: number; lng: number }[] {
  const places: { at: number; lat: number; lng: number }[] = []
  for (let row = 0; row < columns.length; row++) {
    const lat = toUnits('lat', columns.lat[row] as number)
    const lng = toUnits('lng', columns.lng[row] as number)
    if (lat !== undefined && lng !== undefined) places.push({ at: columns.at[row] as number, lat, lng })
  }
  return places
}

function drawLine(doc: Doc, points: readonly Point[], color: string): void {
  const [first, ...others] = points
  if (first === undefined || others.length === 0) return
  doc.moveTo(first.x, first.y)
  for (const { x, y } of others) doc.lineTo(x, y)
  doc.lineWidth(1.4).lineJoin('round').strokeColor(color).stroke()
}

/** A bar of a round number of km, at most a third of the box. @param scale pt a degree of latitude */
function drawScale(doc: Doc, box: Box, scale: number): void {
  const kmAPoint = KM_A_DEGREE / scale
  const most = (box.width / 3) * kmAPoint
  const decade = 10 ** Math.floor(Math.log10(most))
  const km = [5, 2, 1].map((one) => one * decade).find((one) => one <= most) ?? decade
  const y = box.y + box.height - 8
  doc
    .moveTo(box.x + 8, y)
    .lineTo(box.x + 8 + km / kmAPoint, y)
    .lineWidth(1)
    .strokeColor(QUIET)
    .stroke()
  doc.font('text').fontSize(7).fillColor(QUIET)
  doc.text(km < 1 ? `${Math.round(km * 1000)} m` : `${km} km`, box.x + 8, y - 10, TABULAR)
}
