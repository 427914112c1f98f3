import { counted } from '#machines/rules/figures.ts'
import { meanKineticOf, type TemperatureTally } from '#machines/rules/temperature-tally.ts'
import type { Making } from './making.ts'
import { outWords } from './out-of-range.ts'
import {
  type Doc,
  degrees,
  drawFigures,
  drawTable,
  drawTitle,
  duration,
  HOT,
  INK,
  MARGIN,
  plain,
  QUIET,
  TABULAR,
  WIDTH,
} from './pdf-page.ts'

/** A device that was out of range: for how long, and (`longest`) the ms of its longest excursion. */
export type Named = {
  name: string
  plate: string
  group: string
  whole: TemperatureTally
  longest: number
  count: number
}

/** `silent`: devices that measured nothing; `loads`: that were under way; `exhausted`: of these, with a budget that was exhausted. */
export type Sum = {
  devices: number
  silent: number
  devicesOut: number
  excursions: number
  loads: number
  exhausted: number
  worst: readonly Named[]
}

/** Devices named on the first page */
export const NAMED = 22

/** The first page: what the report is, and who was out of range longest. */
export function drawFront(
  doc: Doc,
  making: Making,
  { devices, silent, devicesOut, excursions, loads, exhausted, worst }: Sum,
): void {
  const { order, local, source } = making
  drawTitle(doc, order)
  drawFigures(doc, 122, [
    ['Devices', String(devices), INK],
    ['With excursions', String(devicesOut), devicesOut > 0 ? HOT : INK],
    ['Excursions', String(excursions), excursions > 0 ? HOT : INK],
    ...(loads === 0
      ? []
      : ([
          ['Loads', String(loads), INK],
          ['Budgets exhausted', String(exhausted), exhausted > 0 ? HOT : INK],
        ] satisfies [string, string, string][])),
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
      `beyond a limit for ${duration(source.violations.violationDelaySeconds * 1000)}, until back inside by ${source.violations.clearMarginTemperature} °C, unless its group has set otherwise`,
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
  const none = `No device was out of range${silent === 0 ? '' : `; of ${counted(silent, 'device')} nothing was measured`}`
  doc.text(worst.length === 0 ? none : 'Longest out of range', MARGIN, y, TABULAR)
  if (worst.length === 0) return
  drawTable(
    doc,
    y + 24,
    ['Plate number', 'Name', 'Group', 'Out of range', 'Excursions', 'Longest', 'Mean kinetic'],
    worst.map(({ plate, name, group, whole, count, longest }) => [
      plate,
      name,
      group,
      outWords(whole),
      String(count),
      longest === 0 ? '–' : duration(longest),
      degrees(meanKineticOf(whole)),
    ]),
    [72, 96, 88, 84, 56, 58, 61],
  )
}
