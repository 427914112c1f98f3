import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { figure } from '#machines/rules/figures.ts'
import {
  emptyTally,
  meanKineticOf,
  meanOf,
  sumTallies,
  type TemperatureTally,
  temperatureDays,
} from '#machines/rules/temperature-tally.ts'
import type { ReportDevice } from '../order.ts'
import { type Excursion, excursionsOf, lasted } from './excursions.ts'
import type { LimitsOfDevice } from './limits-in-force.ts'
import type { Making } from './making.ts'
import { limitsWords, noExcursionWords, outColour, outWords, type Span, sentenceOf } from './out-of-range.ts'
import { openBook } from './pdf-book.ts'
import {
  type Cells,
  COLD,
  type Doc,
  degrees,
  drawFigures,
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
import { drawRows, withWhole } from './pdf-rows.ts'
import { type Care, careOf, type KnownViolation } from './proof-care.ts'
import { drawTemperature } from './temperature-chart.ts'

const CHART = { top: 270, height: 250 }
/** Between a table and what stands above it, pt */
const SPACE = 24
/** The column of what people wrote, pt */
const WHY = 127

type Proved = {
  device: ReportDevice
  readings: ReadingColumns
  limits: LimitsOfDevice
  /** of its span without limits of temperature or of humidity, at most, ms */
  limitlessMs: number
  span: Span
  whole: TemperatureTally
  /** of temperature and humidity, oldest first */
  excursions: Excursion[]
  violations: KnownViolation[]
  care: Care[]
}

/**
 * One device in one span, as its page in the portal shows it: the sentence, the chart with its limits, each time out of
 * them, and what people did about it. The same order and record make the same bytes.
 */
export async function proofBook(making: Making): Promise<Uint8Array> {
  const { doc, finish } = openBook(making)
  let pages = 0
  for await (const { device, readings } of making.devices()) {
    if (pages++ > 0) doc.addPage()
    await drawProof(doc, making, await proved(making, device, readings))
  }
  return finish()
}

async function proved(making: Making, device: ReportDevice, readings: ReadingColumns): Promise<Proved> {
  const { order, source, starts, gapMs } = making
  const limits = making.limitsInForce.ofDevice(device.no)
  const spanMs = (starts.at(-1) as number) - order.from
  const unsetOf = (of: LimitsOfDevice['temperature']) =>
    limitsWords(of, order.from, order.from + spanMs).unsetMs
  const unsetMs = unsetOf(limits.temperature)
  const days = temperatureDays(readings, starts, gapMs, limits.temperature)
  return {
    ...{ device, readings, limits, span: { spanMs, gapMs, unsetMs } },
    limitlessMs: Math.min(unsetMs, unsetOf(limits.humidity)),
    whole: days.length === 0 ? emptyTally() : sumTallies(days),
    excursions: [
      ...excursionsOf('temperature', readings, limits.temperature),
      ...excursionsOf('humidity', readings, limits.humidity),
    ].sort((a, b) => a.from - b.from),
    ...(await careOf(source, device.no, order.from, order.to)),
  }
}

async function drawProof(doc: Doc, making: Making, one: Proved): Promise<void> {
  const { order, local, gapMs, starts } = making
  const { readings, limits, span, limitlessMs, whole, excursions, violations, care } = one
  const end = starts.at(-1) as number
  drawHead(doc, making, one)
  if (whole.count > 0)
    drawTemperature(
      doc,
      { x: MARGIN, y: CHART.top, width: WIDTH, height: CHART.height },
      {
        ...{ readings, gapMs, limits: limits.temperature, from: order.from, to: end },
        excursions: excursions.filter(({ type }) => WORDS[type].unit === '°C'),
      },
      local,
    )
  let y = CHART.top + (whole.count > 0 ? CHART.height + SPACE : 0)
  y = await drawRows(making, doc, y, {
    heading: ['Out of limits', 'Began', 'Ended', 'Duration', 'Worst', 'Limit'],
    widths: [120, 115, 95, 75, 60, 50],
    rows: excursions.map((each) => excursionCells(each, wasBefore(each, violations, order.from), making)),
    none: noExcursionWords(whole, span, limitlessMs),
  })
  await drawRows(making, doc, y + SPACE, {
    heading: ['What people did', 'When', 'About', 'Who', 'Why'],
    widths: [72, 88, 148, 80, WHY],
    rows: care.flatMap((each) => careCells(doc, each, making)),
    none: 'Nobody acknowledged, took or commented anything.',
  })
}

/** Whose it is, of when, and how it was, down to the chart. */
function drawHead(doc: Doc, { order, local }: Making, { device, limits, span, whole }: Proved): void {
  drawTitle(doc, { ...order, title: device.name })
  const about = [
    ['Device', [device.plateNumber, `IMEI ${device.imei}`, device.groupName].filter(Boolean).join(' · ')],
    ['Span', `${local.dateTime(order.from)} to ${local.dateTime(order.to)} ${local.zone}`],
    ['Made', `${local.dateTime(order.requestedAt)} for ${order.requestedBy}, of log position ${order.upTo}`],
  ] as const
  for (const [i, [label, value]] of about.entries()) {
    const y = 122 + i * 15
    doc.font('text').fontSize(9).fillColor(QUIET).text(label, MARGIN, y, TABULAR)
    doc.fillColor(INK).text(plain(value), MARGIN + 60, y, { width: WIDTH - 60, ellipsis: true, ...TABULAR })
  }
  const colour = outColour(whole)
  doc.font('strong').fontSize(12).fillColor(colour)
  doc.text(sentenceOf(whole, span), MARGIN, 184, TABULAR)
  const { label, words } = limitsWords(limits.temperature, order.from, order.from + span.spanMs)
  drawFigures(doc, 218, [
    [label, words, INK],
    ['Minimum', degrees(whole.min), INK],
    ['Maximum', degrees(whole.max), INK],
    ['Mean', degrees(whole.count === 0 ? Number.NaN : meanOf(whole)), INK],
    ['Mean kinetic', degrees(whole.count === 0 ? Number.NaN : meanKineticOf(whole)), INK],
    ['Out of range', outWords(whole), colour],
  ])
}

type Unit = '°C' | '%'
const WORDS: Record<ViolationType, { text: string; colour: string; unit: Unit }> = {
  HIGH_TEMPERATURE_DETECTED: { text: '▲ Too warm', colour: HOT, unit: '°C' },
  LOW_TEMPERATURE_DETECTED: { text: '▼ Too cold', colour: COLD, unit: '°C' },
  HIGH_HUMIDITY_DETECTED: { text: '◆ Too humid', colour: INK, unit: '%' },
  LOW_HUMIDITY_DETECTED: { text: '◇ Too dry', colour: INK, unit: '%' },
}

/** Whether it was known to be out before a span that begins with it. */
const wasBefore = (one: Excursion, violations: readonly KnownViolation[], from: number): boolean =>
  one.isFirst &&
  violations.some(({ type, since, to }) => type === one.type && since < from && (to === null || to > from))

function excursionCells(one: Excursion, isBefore: boolean, { local }: Making): Cells {
  const { text, colour, unit } = WORDS[one.type]
  return [
    [text, colour],
    `${isBefore ? 'before ' : ''}${local.dateTime(one.from)}`,
    one.to === null ? 'not ended yet' : local.dateTime(one.to),
    duration(lasted(one)),
    `${figure(one.worst, 1)} ${unit}`,
    `${figure(one.limit)} ${unit}`,
  ]
}

function careCells(doc: Doc, { at, type, since, what, who, why }: Care, { local }: Making): Cells[] {
  const about = `${WORDS[type].text.slice(2)} since ${local.dateTime(since)}`
  return withWhole(doc, [what, local.dateTime(at), about, who], why, WHY)
}
