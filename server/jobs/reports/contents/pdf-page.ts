import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { figure } from '#machines/rules/figures.ts'
import type { ReportOrder } from '../order.ts'

export type Doc = PDFKit.PDFDocument

/** Colours of paper: the portal's light theme. */
export const INK = '#12212B'
export const QUIET = '#5B6B76'
export const FAINT = '#D5DDE2'
export const HOT = '#C2410C'
export const COLD = '#5B4BC4'
export const ACCENT = '#2B7A9B'

export type Box = { x: number; y: number; width: number; height: number }

/** A4, pt */
export const PAGE = { width: 595.28, height: 841.89 }
export const MARGIN = 40
export const WIDTH = PAGE.width - 2 * MARGIN

/**
 * One line, figures as wide as each other, and no shapes by context: those take ten times as long, and draw the point
 * of 13.1 into its neighbours. The layout takes switches by name, which its types do not know.
 */
export const TABULAR = {
  lineBreak: false,
  features: {
    tnum: true,
    calt: false,
    clig: false,
    kern: false,
  } as unknown as PDFKit.Mixins.OpenTypeFeatures[],
} satisfies PDFKit.Mixins.TextOptions

/** A document of one page yet; nothing in it knows another time than that of the order. */
export function openDocument(order: Pick<ReportOrder, 'title' | 'company' | 'requestedAt'>): Doc {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `${order.title} · ${order.company.name}`,
      Author: 'Frostline',
      Producer: 'Frostline',
      Creator: 'Frostline',
      CreationDate: new Date(order.requestedAt),
      ModDate: new Date(order.requestedAt),
    },
  })
  for (const [name, weight] of [
    ['text', 400],
    ['strong', 600],
  ] as const) {
    const file = import.meta.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`)
    doc.registerFont(name, readFileSync(new URL(file)))
  }
  return doc
}

/** What the font has no letters for: accents fall, the rest is a question mark. */
export function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(
      /[^\u0020-\u00FF–—‘’“”•…€\u2212]/gu,
      (letter) => letter.normalize('NFD').replace(/[^\u0020-\u007E]/gu, '') || '?',
    )
}

/** One decimal; a dash for NaN, where nothing was measured. */
export const degrees = (celsius: number): string => (Number.isNaN(celsius) ? '–' : `${figure(celsius, 1)} °C`)

/** To whole minutes. */
export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  const [h, min] = [Math.floor(minutes / 60), minutes % 60]
  return h === 0 ? `${min} min` : `${h} h ${min} min`
}

/** Points: as large as it fits, down to what still has two lines. */
const TITLE = { size: 24, least: 12, height: 30 }

/** What it is, and whose. */
export function drawTitle(doc: Doc, { title, company }: Pick<ReportOrder, 'title' | 'company'>): void {
  const text = plain(title)
  doc.font('strong').fontSize(TITLE.size).fillColor(INK)
  const share = WIDTH / doc.widthOfString(text, { ...TABULAR })
  // a long one is smaller, then on two lines: off the page nobody reads it
  if (share < 1) doc.fontSize(Math.max(TITLE.least, TITLE.size * share))
  const fit = share < 1 ? { width: WIDTH, height: TITLE.height, ellipsis: true } : {}
  doc.text(text, MARGIN, 60, { ...TABULAR, ...fit })
  doc
    .font('text')
    .fontSize(12)
    .fillColor(QUIET)
    .text(plain(company.name), MARGIN, 92, { ...TABULAR })
}

/** Labels with their values below, side by side; each value with its colour. */
export function drawFigures(doc: Doc, top: number, figures: readonly [string, string, string][]): void {
  const width = WIDTH / figures.length
  for (const [i, [label, value, color]] of figures.entries()) {
    const x = MARGIN + i * width
    doc
      .font('text')
      .fontSize(7)
      .fillColor(QUIET)
      .text(label, x, top, { ...TABULAR })
    doc
      .font('strong')
      .fontSize(10)
      .fillColor(color)
      .text(value, x, top + 9, { ...TABULAR })
  }
}

/** What stands in a row; a text with a colour of its own where it has one. */
export type Cells = (string | [text: string, color: string])[]

/** Of the letters in a table, and what is left free beside them in a cell, pt */
const CELL = { fontSize: 8, free: 6 }

/** A table with a line above each row; `widths` in pt. */
export function drawTable(doc: Doc, top: number, heading: string[], rows: Cells[], widths: number[]): void {
  let y = top
  const put = (cells: Cells, font: string, ink: string) => {
    let x = MARGIN
    for (const [i, cell] of cells.entries()) {
      const [text, color] = typeof cell === 'string' ? [cell, ink] : cell
      const width = widths[i] as number
      doc.font(font).fontSize(CELL.fontSize).fillColor(color)
      drawMarked(doc, text, { x, y, width: width - CELL.free, height: 10 })
      x += width
    }
    y += 14
  }
  put(heading, 'strong', QUIET)
  for (const row of rows) {
    doc
      .moveTo(MARGIN, y - 3)
      .lineTo(MARGIN + WIDTH, y - 3)
      .lineWidth(0.4)
      .strokeColor(FAINT)
      .stroke()
    put(row, 'text', INK)
  }
}

/** What somebody wrote, in as many lines as it takes in a column of a table, so that nothing is cut off. @param width of the column, pt */
export function linesIn(doc: Doc, text: string, width: number): string[] {
  doc.font('text').fontSize(CELL.fontSize)
  // a hair less: what is exactly as wide may be cut off
  const fits = (line: string) => doc.widthOfString(line, { ...TABULAR }) < width - CELL.free - 0.5
  const lines = ['']
  const put = (piece: string, space: string): void => {
    const longer = `${lines.at(-1)}${lines.at(-1) === '' ? '' : space}${piece}`
    if (lines.at(-1) === '' || fits(longer)) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  for (const word of plain(text.replaceAll(/\s+/g, ' ').trim()).split(' ')) {
    if (fits(word)) put(word, ' ')
    // wider than a line: it goes on in the next
    else for (const [i, letter] of [...word].entries()) put(letter, i === 0 ? ' ' : '')
  }
  return lines
}

/** Text that may begin with the shape of a state, which the font does not have: it is drawn, a drop for humidity. */
function drawMarked(doc: Doc, text: string, { x, y, width }: Box): void {
  const mark = text.charAt(0)
  const isMarked = mark !== '' && '▲▼◆◇'.includes(mark)
  if (mark === '▲' || mark === '▼') {
    const [base, tip] = mark === '▲' ? [y + 7, y + 1.5] : [y + 1.5, y + 7]
    doc.polygon([x, base], [x + 6, base], [x + 3, tip]).fill()
  } else if (isMarked) {
    const drop = `M${x + 3} ${y + 0.5}C${x + 4} ${y + 2.5} ${x + 5.5} ${y + 4} ${x + 5.5} ${y + 5.2}A2.5 2.5 0 0 1 ${x + 0.5} ${y + 5.2}C${x + 0.5} ${y + 4} ${x + 2} ${y + 2.5} ${x + 3} ${y + 0.5}Z`
    if (mark === '◆') doc.path(drop).fill()
    else doc.path(drop).lineWidth(0.8).strokeColor(INK).stroke()
  }
  const left = isMarked ? 10 : 0
  const shown = isMarked ? text.slice(2) : text
  doc.text(plain(shown), x + left, y, { width: width - left, ellipsis: true, ...TABULAR, height: 10 })
}
