import type { ReportOrder } from '../order.ts'
import type { Making } from './making.ts'
import { type Doc, MARGIN, openDocument, PAGE, plain, QUIET, TABULAR, WIDTH } from './pdf-page.ts'

export type Book = {
  doc: Doc
  /** its bytes, with a footer on each page; nothing is drawn after */
  finish(): Promise<Uint8Array>
}

/** The PDF of an order, with its first page. */
export function openBook({
  order,
  pause,
}: Pick<Making, 'pause'> & {
  order: Pick<ReportOrder, 'reportId' | 'title' | 'company' | 'requestedAt'>
}): Book {
  const doc = openDocument(order)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.on('end', () => resolve()))
  return {
    doc,
    async finish() {
      await drawFooters(doc, `${order.title} · ${order.company.name} · ${order.reportId}`, pause)
      doc.end()
      await ended
      const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
      let at = 0
      for (const chunk of chunks) {
        whole.set(chunk, at)
        at += chunk.length
      }
      return whole
    },
  }
}

/** Which report it is, and which page of how many. */
async function drawFooters(doc: Doc, left: string, pause: () => Promise<void>): Promise<void> {
  const { start, count } = doc.bufferedPageRange()
  for (let i = start; i < start + count; i++) {
    await pause()
    doc.switchToPage(i)
    doc.font('text').fontSize(7.5).fillColor(QUIET)
    const y = PAGE.height - 28
    doc.text(plain(left), MARGIN, y, {
      width: WIDTH - 100,
      ellipsis: true,
      ...TABULAR,
    })
    doc.text(`Page ${i + 1} of ${count}`, PAGE.width - MARGIN - 100, y, {
      width: 100,
      align: 'right',
      ...TABULAR,
    })
  }
}
