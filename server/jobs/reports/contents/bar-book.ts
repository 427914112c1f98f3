import type { ReportDevice } from '../order.ts'
import type { Making } from './making.ts'
import { openBook } from './pdf-book.ts'
import {
  ACCENT,
  type Doc,
  drawFigures,
  drawTitle,
  INK,
  MARGIN,
  PAGE,
  plain,
  QUIET,
  TABULAR,
  WIDTH,
} from './pdf-page.ts'

/** A device with its value, also in words; value undefined: there is none, and the words say why. */
export type Bar = { device: ReportDevice; value: number | undefined; words: string }

export type Bars = {
  /** label and value, for the first page */
  figures: readonly [string, string][]
  /** what a bar is of, e.g. Distance (km) */
  heading: string
  bars: readonly Bar[]
}

/** Bars drawn; all values stand in the workbook. */
const MOST = 500
const LABEL = 130
const VALUE = 80
const ROW = 16
const [FIRST_TOP, TOP, BOTTOM] = [200, MARGIN + 10, PAGE.height - 50]

/** A PDF of a bar a device, the longest first, those without a value last. */
export async function barBook(making: Making, { figures, heading, bars }: Bars): Promise<Uint8Array> {
  const { doc, finish } = openBook(making)
  const { order, local } = making
  drawTitle(doc, order)
  drawFigures(
    doc,
    122,
    figures.map(([label, value]) => [label, value, INK]),
  )
  doc.font('text').fontSize(9).fillColor(QUIET)
  doc.text(
    `${local.dateTime(order.from)} to ${local.dateTime(order.to)}, ${local.zone}`,
    MARGIN,
    155,
    TABULAR,
  )
  doc
    .font('strong')
    .fontSize(12)
    .fillColor(INK)
    .text(heading, MARGIN, FIRST_TOP - 18, TABULAR)
  const sorted = bars.toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1)).slice(0, MOST)
  const longest = Math.max(0, ...sorted.map(({ value }) => value ?? 0))
  let y = FIRST_TOP + 8
  for (const bar of sorted) {
    if (y > BOTTOM - ROW) {
      await making.pause()
      doc.addPage()
      y = TOP
    }
    drawBar(doc, y, bar, longest)
    y += ROW
  }
  if (bars.length > MOST)
    doc
      .font('text')
      .fontSize(8)
      .fillColor(QUIET)
      .text(`The ${bars.length - MOST} further devices are in the workbook.`, MARGIN, y, TABULAR)
  return finish()
}

function drawBar(doc: Doc, y: number, { device, value, words }: Bar, longest: number): void {
  const options = { ...TABULAR, ellipsis: true, height: 10 }
  doc.font('text').fontSize(8).fillColor(INK)
  doc.text(plain(device.plateNumber || device.name), MARGIN, y, { ...options, width: LABEL - 8 })
  const width = longest > 0 ? ((WIDTH - LABEL - VALUE) * (value ?? 0)) / longest : 0
  if (width > 0) doc.rect(MARGIN + LABEL, y - 1, Math.max(0.5, width), ROW - 6).fill(ACCENT)
  doc.fillColor(value === undefined ? QUIET : INK)
  doc.text(words, MARGIN + LABEL + width + 6, y, { ...options, width: VALUE })
}
