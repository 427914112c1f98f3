import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { meanKineticOf, meanOf } from '#machines/rules/temperature-tally.ts'
import { isWarm, lasted } from './excursions.ts'
import type { Making } from './making.ts'
import type { DeviceTemperature } from './temperature.ts'
import {
  type Box,
  COLD,
  type Doc,
  drawTemperature,
  FAINT,
  HOT,
  INK,
  QUIET,
  TABULAR,
} from './temperature-chart.ts'

const MARGIN = 40
const PAGE = { width: 595.28, height: 841.89 }
const WIDTH = PAGE.width - 2 * MARGIN
/** Two devices a page */
const BLOCK = (PAGE.height - 2 * MARGIN - 20) / 2
const CHART = 190
const WORST = 5
/** Devices named on the first page */
const NAMED = 22

type Named = {
  name: string
  plate: string
  group: string
  minutes: number
  longest: number
  mkt: number
  count: number
}

/**
 * The temperature report to look at and to print: a first page that says what it is and who was out of range longest,
 * then half a page a device with its course, its figures and its worst excursions. Devices are drawn as they come.
 */
export function temperatureBook(making: Making) {
  const { order, local, bands, gapMs, starts } = making
  const doc = openDocument(making)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve) => doc.on('end', () => resolve()))
  const [from, to] = [order.from, starts.at(-1) as number]
  const worst: Named[] = []
  let drawn = 0
  let [devicesOut, excursions] = [0, 0]

  function look(one: DeviceTemperature): void {
    if (drawn % 2 === 0) doc.addPage()
    const top = MARGIN + (drawn % 2) * (BLOCK + 10)
    drawn++
    drawDevice(doc, top, one, making, () => {
      const box = { x: MARGIN, y: top + 62, width: WIDTH, height: CHART }
      const limits = bands.ofDevice(one.device.no).temperature
      drawTemperature(
        doc,
        box,
        { readings: one.readings, limits, excursions: one.excursions, from, to, gapMs },
        local,
      )
    })
    excursions += one.excursions.length
    if (one.excursions.length > 0) devicesOut++
    const { device, whole } = one
    const minutes = (whole.above + whole.below) / 60_000
    if (minutes === 0) return
    worst.push({
      name: device.name,
      plate: device.plateNumber,
      group: device.groupName,
      minutes,
      longest: Math.max(0, ...one.excursions.map(lasted)),
      mkt: meanKineticOf(whole),
      count: one.excursions.length,
    })
    worst.sort((a, b) => b.minutes - a.minutes)
    if (worst.length > NAMED) worst.pop()
  }

  return {
    look,
    async finish(): Promise<Uint8Array> {
      doc.switchToPage(0)
      drawFront(doc, making, { devices: drawn, devicesOut, excursions, worst })
      drawFooters(doc, `${order.title} · ${order.company.name}`, order.reportId)
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

function openDocument({ order }: Making): Doc {
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
      // nothing else in the file knows when it was made
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
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(
      /[^\u0020-\u00FF–—‘’“”•…€]/gu,
      (letter) => letter.normalize('NFD').replace(/[^\u0020-\u007E]/gu, '') || '?',
    )
}

const degrees = (celsius: number): string => (Number.isNaN(celsius) ? '–' : `${celsius.toFixed(1)} °C`)

export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  const [h, min] = [Math.floor(minutes / 60), minutes % 60]
  return h === 0 ? `${min} min` : `${h} h ${min} min`
}

function drawDevice(
  doc: Doc,
  top: number,
  { device, readings, whole, excursions }: DeviceTemperature,
  { local, bands }: Making,
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
  const limits = bands.ofDevice(device.no).temperature.at(-1)?.limits
  const isSet = limits !== undefined && !Number.isNaN(limits.low)
  const out = whole.above + whole.below
  const figures: [string, string, string][] = [
    ['Limits', isSet ? `${limits.low} to ${limits.high} °C` : 'not set', INK],
    ['Minimum', degrees(whole.min), INK],
    ['Maximum', degrees(whole.max), INK],
    ['Mean', degrees(whole.count === 0 ? Number.NaN : meanOf(whole)), INK],
    ['Mean kinetic', degrees(whole.count === 0 ? Number.NaN : meanKineticOf(whole)), INK],
    ['Out of range', duration(out), out > 0 ? (whole.above >= whole.below ? HOT : COLD) : INK],
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
        `${one.limit} °C`,
      ],
    )
  const y = top + 62 + CHART + 10
  if (rows.length === 0) {
    doc.font('text').fontSize(8.5).fillColor(QUIET).text('No excursion.', MARGIN, y, TABULAR)
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

function drawFigures(doc: Doc, top: number, figures: readonly [string, string, string][]): void {
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

type Cells = (string | [text: string, color: string])[]

function drawTable(doc: Doc, top: number, heading: string[], rows: Cells[], widths: number[]): void {
  let y = top
  const put = (cells: Cells, font: string, ink: string) => {
    let x = MARGIN
    for (const [i, cell] of cells.entries()) {
      const [text, color] = typeof cell === 'string' ? [cell, ink] : cell
      const width = widths[i] as number
      doc.font(font).fontSize(8).fillColor(color)
      drawMarked(doc, text, { x, y, width: width - 6, height: 10 })
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

/** Text that may begin with a triangle, which the font does not have: it is drawn. */
function drawMarked(doc: Doc, text: string, { x, y, width }: Box): void {
  const mark = text.charAt(0)
  const isMarked = mark === '▲' || mark === '▼'
  if (isMarked) {
    const [base, tip] = mark === '▲' ? [y + 7, y + 1.5] : [y + 1.5, y + 7]
    doc.polygon([x, base], [x + 6, base], [x + 3, tip]).fill()
  }
  const left = isMarked ? 10 : 0
  const shown = isMarked ? text.slice(2) : text
  doc.text(plain(shown), x + left, y, { width: width - left, ellipsis: true, ...TABULAR, height: 10 })
}

type Sum = { devices: number; devicesOut: number; excursions: number; worst: readonly Named[] }

function drawFront(doc: Doc, making: Making, { devices, devicesOut, excursions, worst }: Sum): void {
  const { order, local, source } = making
  doc
    .font('strong')
    .fontSize(24)
    .fillColor(INK)
    .text(plain(order.title), MARGIN, 60, { ...TABULAR })
  doc
    .font('text')
    .fontSize(12)
    .fillColor(QUIET)
    .text(plain(order.company.name), MARGIN, 92, { ...TABULAR })
  drawFigures(doc, 122, [
    ['Devices', String(devices), INK],
    ['With excursions', String(devicesOut), devicesOut > 0 ? HOT : INK],
    ['Excursions', String(excursions), excursions > 0 ? HOT : INK],
  ])
  const about = [
    ['From', local.dateTime(order.from)],
    ['To', local.dateTime(order.to)],
    ['Time zone', local.zone],
    ['Requested by', order.requestedBy],
    ['Requested at', local.dateTime(order.requestedAt)],
    ['Made from the log up to', `position ${order.upTo}`],
    [
      'Excursions',
      `beyond a limit for ${duration(source.violations.violationDelaySeconds * 1000)}, until back inside by ${source.violations.clearMarginTemperature} °C`,
    ],
    ['Mean kinetic temperature', 'USP <1079.2>, heat of activation 83.144 kJ/mol, weighed by time'],
  ] as const
  for (const [i, [label, value]] of about.entries()) {
    const y = 165 + i * 15
    doc
      .font('text')
      .fontSize(9)
      .fillColor(QUIET)
      .text(label, MARGIN, y, { ...TABULAR })
    doc.fillColor(INK).text(plain(value), MARGIN + 130, y, { width: WIDTH - 130, ...TABULAR })
  }
  const y = 165 + about.length * 15 + 22
  doc.font('strong').fontSize(12).fillColor(INK)
  doc.text(worst.length === 0 ? 'No device was out of range' : 'Longest out of range', MARGIN, y, TABULAR)
  if (worst.length === 0) return
  drawTable(
    doc,
    y + 24,
    ['Plate number', 'Name', 'Group', 'Out of range', 'Excursions', 'Longest', 'Mean kinetic'],
    worst.map(({ plate, name, group, minutes, count, longest, mkt }) => [
      plate,
      name,
      group,
      duration(minutes * 60_000),
      String(count),
      longest === 0 ? '–' : duration(longest),
      degrees(mkt),
    ]),
    [72, 100, 118, 72, 52, 60, 41],
  )
}

function drawFooters(doc: Doc, left: string, reportId: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let i = start; i < start + count; i++) {
    doc.switchToPage(i)
    doc.font('text').fontSize(7.5).fillColor(QUIET)
    const y = PAGE.height - 28
    doc.text(plain(`${left} · ${reportId}`), MARGIN, y, {
      width: WIDTH - 100,
      ...TABULAR,
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
