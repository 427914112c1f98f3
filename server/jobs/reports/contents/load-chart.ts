import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import { figure } from '#machines/rules/figures.ts'
import { axisSteps, namedTimes } from './axis-steps.ts'
import type { LocalTime } from './local-time.ts'
import { ACCENT, type Box, type Doc, FAINT, HOT, QUIET, TABULAR } from './pdf-page.ts'

/** Room for the numbers of the axes, pt */
const LEFT = 30
const BOTTOM = 14

/** The temperature of a load over its time, with the limits of its profile; no line is drawn over a gap. */
export function drawCourse(doc: Doc, box: Box, { course, profile }: LoadStory, local: LocalTime): void {
  const plot = { x: box.x + LEFT, y: box.y, width: box.width - LEFT, height: box.height - BOTTOM }
  const [from, to] = [course.at[0] as number, course.at.at(-1) as number]
  const measured = course.temperature.filter((celsius) => celsius !== null)
  const limits = profile.rules.map(({ limit }) => limit)
  const [coldest, warmest] = [Math.min(...measured), Math.max(...measured)]
  // limits far from what was measured would flatten it
  const near = limits.filter((limit) => limit > coldest - 10 && limit < warmest + 10)
  const low = Math.min(coldest, ...near) - 1
  const high = Math.max(warmest, ...near) + 1
  const xOf = (at: number) => plot.x + (plot.width * (at - from)) / Math.max(1, to - from)
  const yOf = (celsius: number) => plot.y + plot.height - (plot.height * (celsius - low)) / (high - low)
  const line = (x1: number, y1: number, x2: number, y2: number, color: string, width = 0.4) =>
    doc.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke()

  doc.font('text').fontSize(7).fillColor(QUIET)
  for (const step of axisSteps(low, high, 5)) {
    line(plot.x, yOf(step), plot.x + plot.width, yOf(step), FAINT)
    doc.text(figure(step), box.x, yOf(step) - 3.5, { width: LEFT - 5, align: 'right', ...TABULAR })
  }
  for (const { at, label } of namedTimes(from, to, local)) {
    line(xOf(at), plot.y, xOf(at), plot.y + plot.height + 3, FAINT)
    doc.text(label, xOf(at) - 30, plot.y + plot.height + 5, { width: 60, align: 'center', ...TABULAR })
  }
  for (const limit of near) line(plot.x, yOf(limit), plot.x + plot.width, yOf(limit), HOT, 0.6)
  let isOpen = false
  for (const [i, at] of course.at.entries()) {
    const celsius = course.temperature[i] ?? null
    if (celsius === null) isOpen = false
    else {
      if (isOpen) doc.lineTo(xOf(at), yOf(celsius))
      else doc.moveTo(xOf(at), yOf(celsius))
      isOpen = true
    }
  }
  doc.lineWidth(1).strokeColor(ACCENT).stroke()
}
