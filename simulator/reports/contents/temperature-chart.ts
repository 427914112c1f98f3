import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { axisSteps, timeSteps } from './axis-steps.ts'
import { type Excursion, lasted } from './excursions.ts'
import type { LocalTime } from './local-time.ts'

export type Doc = PDFKit.PDFDocument

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

/** Colours of paper: the portal's light theme. */
export const INK = '#12212B'
export const QUIET = '#5B6B76'
export const FAINT = '#D5DDE2'
export const HOT = '#C2410C'
export const COLD = '#5B4BC4'
const BAND = '#E6F1F6'
const LIMIT = '#7FA6B8'
const HATCH = '#C3CCD2'

export type Box = { x: number; y: number; width: number; height: number }
export type Charted = {
  readings: ReadingColumns
  limits: readonly LimitsSince[]
  excursions: readonly Excursion[]
  from: number
  to: number
  gapMs: number
}

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature
/** Room for the numbers of the axes, pt */
const LEFT = 30
const BOTTOM = 14
/** A line has no more corners than this, pt apart: a month of minutes is 45,000 readings on 480 pt. */
const COLUMN = 1.2
const HATCH_STEP = 4

/**
 * The course of a temperature: the band it must keep behind the line, the line coloured beyond it, hatching where
 * nothing was measured and no line drawn across, excursions marked along the top.
 */
export function drawTemperature(doc: Doc, box: Box, chart: Charted, local: LocalTime): void {
  const plot = { x: box.x + LEFT, y: box.y, width: box.width - LEFT, height: box.height - BOTTOM }
  const { from, to, limits } = chart
  const xOf = (at: number) => plot.x + (plot.width * (at - from)) / Math.max(1, to - from)
  const runs = runsOf(chart, xOf)
  const scale = scaleOf(runs, limits)
  const yOf = (celsius: number) =>
    plot.y + plot.height - (plot.height * (celsius - scale.low)) / (scale.high - scale.low)

  doc.save().rect(plot.x, plot.y, plot.width, plot.height).clip()
  eachBand(chart, (start, end, low, high) => {
    const [x, width] = [xOf(start), xOf(end) - xOf(start)]
    if (!Number.isNaN(low)) doc.rect(x, yOf(high), width, yOf(low) - yOf(high)).fill(BAND)
  })
  for (const { start, end } of gapsOf(runs, chart)) hatch(doc, xOf(start), xOf(end), plot)
  doc.restore()

  doc.font('text').fontSize(7).fillColor(QUIET).lineWidth(0.4)
  for (const step of axisSteps(scale.low, scale.high, 5)) {
    const y = yOf(step)
    doc
      .moveTo(plot.x, y)
      .lineTo(plot.x + plot.width, y)
      .strokeColor(FAINT)
      .stroke()
    doc.text(String(step), box.x, y - 3.5, { width: LEFT - 5, align: 'right', ...TABULAR })
  }
  for (const { at, label } of timeSteps(from, to, local)) {
    const x = xOf(at)
    doc
      .moveTo(x, plot.y)
      .lineTo(x, plot.y + plot.height + 3)
      .strokeColor(FAINT)
      .stroke()
    doc.text(label, x - 30, plot.y + plot.height + 5, { width: 60, align: 'center', ...TABULAR })
  }

  doc.save().rect(plot.x, plot.y, plot.width, plot.height).clip()
  line(doc, runs, yOf, INK)
  eachBand(chart, (start, end, low, high) => {
    if (Number.isNaN(low)) return
    const [x, width] = [xOf(start), xOf(end) - xOf(start)]
    for (const [y, edge, color, isBeyond] of [
      [plot.y, yOf(high), HOT, scale.most > high],
      [yOf(low), plot.y + plot.height, COLD, scale.least < low],
    ] as const) {
      if (edge <= y || !isBeyond) continue
      doc
        .save()
        .rect(x, y, width, edge - y)
        .clip()
      line(doc, runs, yOf, color)
      doc.restore()
    }
    doc.lineWidth(0.6).dash(3, { space: 2 }).strokeColor(LIMIT)
    for (const y of [yOf(high), yOf(low)])
      doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .stroke()
    doc.undash()
  })
  for (const one of chart.excursions) {
    const color = one.type === 'HIGH_TEMPERATURE_DETECTED' ? HOT : COLD
    const x = xOf(one.from)
    doc.rect(x, plot.y, Math.max(1, xOf(one.from + lasted(one)) - x), 3).fill(color)
  }
  doc.restore()
}

/** A stretch of line without a gap: corners as x (pt) and °C in turn, and when it starts and ends. */
type Run = { corners: number[]; start: number; end: number }

/** Of each column of the chart the first, lowest, highest and last value, in the order they came. */
function runsOf({ readings, gapMs, from, to }: Charted, xOf: (at: number) => number): Run[] {
  const { at, temperature, length } = readings
  const runs: Run[] = []
  let run: Run | undefined
  let column = Number.NaN
  let rows: number[] = []
  const close = () => {
    for (const row of new Set(rows.toSorted((a, b) => a - b)))
      run?.corners.push(xOf(at[row] as number), (temperature[row] as number) / SCALE)
    rows = []
  }
  for (let i = 0; i < length; i++) {
    const value = temperature[i] as number
    const time = at[i] as number
    if (value === MISSING || time < from || time > to) continue
    if (run === undefined || time - run.end > gapMs) {
      close()
      run = { corners: [], start: time, end: time }
      runs.push(run)
      column = Number.NaN
    }
    run.end = time
    const now = Math.floor(xOf(time) / COLUMN)
    if (now !== column) {
      close()
      column = now
      rows = [i, i, i, i]
      continue
    }
    if (value < (temperature[rows[1] as number] as number)) rows[1] = i
    if (value > (temperature[rows[2] as number] as number)) rows[2] = i
    rows[3] = i
  }
  close()
  return runs
}

/** Where nothing was measured, up to the ends of the chart. */
function gapsOf(runs: readonly Run[], { from, to, gapMs }: Charted): { start: number; end: number }[] {
  const gaps: { start: number; end: number }[] = []
  let start = from
  for (const run of runs) {
    if (run.start - start > gapMs) gaps.push({ start, end: run.start })
    start = run.end
  }
  if (to - start > gapMs) gaps.push({ start, end: to })
  return gaps
}

/** Ends of the axis, and the least and most that was measured, °C. */
function scaleOf(runs: readonly Run[], limits: readonly LimitsSince[]) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { corners } of runs) {
    for (let i = 1; i < corners.length; i += 2) {
      least = Math.min(least, corners[i] as number)
      most = Math.max(most, corners[i] as number)
    }
  }
  const bounds = limits.flatMap(({ limits: { low, high } }) => (Number.isNaN(low) ? [] : [low, high]))
  const [low, high] = [Math.min(least, ...bounds), Math.max(most, ...bounds)]
  const room = Math.max(0.5, (high - low) * 0.08)
  return { low: low - room, high: high + room, least, most }
}

/** The limits in force, each for its part of the chart. */
function eachBand(
  { limits, from, to }: Charted,
  draw: (start: number, end: number, low: number, high: number) => void,
): void {
  for (const [i, { from: since, limits: band }] of limits.entries()) {
    const start = i === 0 ? from : Math.max(from, since)
    const end = Math.min(to, limits[i + 1]?.from ?? to)
    if (end > start) draw(start, end, band.low, band.high)
  }
}

/** Written as the page has it: hundreds of thousands of corners are slow one call each. A tenth of a point is enough. */
function line(doc: Doc, runs: readonly Run[], yOf: (celsius: number) => number, color: string): void {
  if (runs.length === 0) return
  const tenth = (n: number) => Math.round(n * 10) / 10
  doc.lineWidth(0.8).lineJoin('round').strokeColor(color)
  for (const { corners } of runs) {
    const [x, y] = [tenth(corners[0] as number), tenth(yOf(corners[1] as number))]
    let path = `${x} ${y} m`
    if (corners.length === 2) path += ` ${tenth(x + 0.5)} ${y} l`
    for (let i = 2; i < corners.length; i += 2)
      path += ` ${tenth(corners[i] as number)} ${tenth(yOf(corners[i + 1] as number))} l`
    doc.addContent(path)
  }
  doc.addContent('S')
}

function hatch(doc: Doc, left: number, right: number, plot: Box): void {
  if (right - left < 0.5) return
  doc
    .save()
    .rect(left, plot.y, right - left, plot.height)
    .clip()
  for (let x = Math.floor((left - plot.height) / HATCH_STEP) * HATCH_STEP; x < right; x += HATCH_STEP)
    doc.moveTo(x, plot.y + plot.height).lineTo(x + plot.height, plot.y)
  doc.lineWidth(0.4).strokeColor(HATCH).stroke()
  doc.restore()
}
