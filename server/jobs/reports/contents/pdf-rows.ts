import type { Making } from './making.ts'
import { type Cells, type Doc, drawTable, INK, linesIn, MARGIN, PAGE, QUIET, TABULAR } from './pdf-page.ts'

/** Rows begin here on a page that has nothing but them, and end here, pt */
const [TOP, BOTTOM] = [60, PAGE.height - 50]
const ROW = 14

/** `none`: what is said where there is no row. */
export type Rows = { heading: string[]; widths: number[]; rows: Cells[]; none: string }

/** A table from `top` on, as many pages as it takes; answers where it ends. */
export async function drawRows(
  { pause }: Pick<Making, 'pause'>,
  doc: Doc,
  top: number,
  { heading, widths, rows, none }: Rows,
): Promise<number> {
  let y = top
  if (rows.length === 0) {
    doc
      .font('strong')
      .fontSize(8)
      .fillColor(QUIET)
      .text(heading[0] ?? '', MARGIN, y, TABULAR)
    doc
      .font('text')
      .fillColor(INK)
      .text(none, MARGIN, y + ROW, TABULAR)
    return y + 2 * ROW
  }
  for (let next = 0; next < rows.length; ) {
    await pause()
    const room = Math.floor((BOTTOM - y) / ROW) - 1
    if (room < 1) {
      doc.addPage()
      y = TOP
      continue
    }
    const part = rows.slice(next, next + room)
    drawTable(doc, y, heading, part, widths)
    next += part.length
    y += (part.length + 1) * ROW
  }
  return y
}

/** A row, and as many beneath it as what somebody wrote takes in the last column. @param width of that, pt */
export const withWhole = (doc: Doc, cells: Cells, text: string, width: number): Cells[] =>
  linesIn(doc, text, width).map((line, i) => [...(i === 0 ? cells : cells.map(() => '')), line])
