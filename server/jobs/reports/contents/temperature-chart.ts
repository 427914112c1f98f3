import { figure } from '#machines/rules/figures.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import { axisSteps, namedTimes } from './axis-steps.ts'
import { type Course, gapsOf, type Run, runsOf, scaleOf } from './chart-runs.ts'
import { type Excursion, lasted } from './excursions.ts'
import { partsWithin } from './limits-in-force.ts'
import type { LocalTime } from './local-time.ts'
import { type Box, COLD, type Doc, FAINT, HOT, INK, QUIET, TABULAR } from './pdf-page.ts'

const BAND = '#E6F1F6'
const LIMIT = '#7FA6B8'
const HATCH = '#C3CCD2'

export type Charted = Course & {
  limits: readonly LimitsSince[]
  excursions: readonly Pick<Excursion, 'type' | 'from' | 'to' | 'lastAt'>[]
}

/** Room for the numbers of the axes, pt */
const LEFT = 30
const BOTTOM = 14
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
  const scale = scaleOf(runs, limits, chart)
  const yOf = (celsius: number) =>
    plot.y + plot.height - (plot.height * (celsius - scale.low)) / (scale.high - scale.low)
  const bands = partsWithin(limits, from, to).flatMap(({ limits: { low, high }, ...part }) => {
    const x = xOf(part.from)
    return Number.isNaN(low) ? [] : [{ x, width: xOf(part.to) - x, low, high }]
  })

  doc.save().rect(plot.x, plot.y, plot.width, plot.height).clip()
  for (const { x, width, low, high } of bands) doc.rect(x, yOf(high), width, yOf(low) - yOf(high)).fill(BAND)
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
    doc.text(figure(step), box.x, y - 3.5, { width: LEFT - 5, align: 'right', ...TABULAR })
  }
  for (const { at, label } of namedTimes(from, to, local)) {
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
  for (const { x, width, low, high } of bands) {
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
  }
  for (const one of chart.excursions) {
    const color = one.type === 'HIGH_TEMPERATURE_DETECTED' ? HOT : COLD
    const x = xOf(one.from)
    doc.rect(x, plot.y, Math.max(1, xOf(one.from + lasted(one)) - x), 3).fill(color)
  }
  doc.restore()
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
