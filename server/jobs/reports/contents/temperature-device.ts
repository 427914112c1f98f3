import { figure } from '#machines/rules/figures.ts'
import { meanKineticOf, meanOf } from '#machines/rules/temperature-tally.ts'
import { isWarm, lasted } from './excursions.ts'
import type { Making } from './making.ts'
import { limitsWords, outColour, outWords } from './out-of-range.ts'
import {
  type Cells,
  COLD,
  type Doc,
  degrees,
  drawFigures,
  drawTable,
  duration,
  HOT,
  INK,
  MARGIN,
  PAGE,
  plain,
  QUIET,
  TABULAR,
  WIDTH,
} from './pdf-page.ts'
import type { DeviceTemperature } from './temperature.ts'

/** Two devices a page, pt */
export const BLOCK = (PAGE.height - 2 * MARGIN - 20) / 2
export const CHART = 190
/** Excursions listed of each device */
const WORST = 5

/** Half a page from `top` on: one device with its figures, its course, and its longest excursions. */
export function drawDevice(
  doc: Doc,
  top: number,
  { device, readings, whole, excursions }: DeviceTemperature,
  { order, local, limitsInForce, starts }: Making,
  drawChart: () => void,
): void {
  const title = device.plateNumber || device.name
  doc
    .font('strong')
    .fontSize(13)
    .fillColor(INK)
    .text(plain(title), MARGIN, top, { ...TABULAR })
  const about = [device.plateNumber ? device.name : '', device.groupName, device.imei]
    .filter(Boolean)
    .join(' · ')
  doc.font('text').fontSize(8.5).fillColor(QUIET)
  doc.text(plain(about), MARGIN, top + 17, { width: WIDTH, ellipsis: true, ...TABULAR })
  const end = starts.at(-1) as number
  const { label, words } = limitsWords(limitsInForce.ofDevice(device.no).temperature, order.from, end)
  const figures: [string, string, string][] = [
    [label, words, INK],
    ['Minimum', degrees(whole.min), INK],
    ['Maximum', degrees(whole.max), INK],
    ['Mean', degrees(whole.count === 0 ? Number.NaN : meanOf(whole)), INK],
    ['Mean kinetic', degrees(whole.count === 0 ? Number.NaN : meanKineticOf(whole)), INK],
    ['Out of range', outWords(whole), outColour(whole)],
  ]
  drawFigures(doc, top + 32, figures)
  if (readings.length === 0 || whole.count === 0) {
    doc
      .font('text')
      .fontSize(9)
      .fillColor(QUIET)
      .text('No temperature was measured in this time.', MARGIN, top + 72, TABULAR)
    return
  }
  drawChart()
  const rows = excursions
    .toSorted((a, b) => lasted(b) - lasted(a) || a.from - b.from)
    .slice(0, WORST)
    .map(
      (one): Cells => [
        [isWarm(one) ? '▲ Too warm' : '▼ Too cold', isWarm(one) ? HOT : COLD],
        local.dateTime(one.from),
        one.to === null ? 'not ended yet' : local.dateTime(one.to),
        duration(lasted(one)),
        degrees(one.worst),
        `${figure(one.limit)} °C`,
      ],
    )
  const y = top + 62 + CHART + 10
  if (rows.length === 0) {
    const none =
      whole.countApart > 0 ? 'No excursion can be found: its readings are too far apart.' : 'No excursion.'
    doc.font('text').fontSize(8.5).fillColor(QUIET).text(none, MARGIN, y, TABULAR)
    return
  }
  const heading =
    excursions.length > WORST ? `Longest ${WORST} of ${excursions.length} excursions` : 'Excursions'
  drawTable(
    doc,
    y,
    [heading, 'Began', 'Ended', 'Duration', 'Worst', 'Limit'],
    rows,
    [140, 95, 95, 75, 60, 50],
  )
}
