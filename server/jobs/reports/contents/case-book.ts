import type { CaseEvent, CaseVersion } from '#machines/contracts/entities/violation-case.ts'
import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import { CASE_EVENT_WORDS } from '#machines/rules/case-words.ts'
import { counted } from '#machines/rules/figures.ts'
import { lengthWords } from '#machines/rules/found-late.ts'
import { MEANING_WORDS } from '#machines/rules/sign-off-words.ts'
import { VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { CHANNELS, DELIVERY_STATES, whyInWords } from '#machines/rules/why-words.ts'
import { writtenTime } from '#machines/rules/written-time.ts'
import { type ReportDevice, ReportFault } from '../order.ts'
import { caseRecordOf, type ReportedCase } from './case-record.ts'
import { drawWay } from './case-way.ts'
import type { LocalTime } from './local-time.ts'
import { type Making, placeAt } from './making.ts'
import { openBook } from './pdf-book.ts'
import { type Cells, type Doc, drawTitle, INK, MARGIN, plain, QUIET, TABULAR, WIDTH } from './pdf-page.ts'
import { drawRows, withWhole } from './pdf-rows.ts'
import { drawTemperature } from './temperature-chart.ts'

const CHART_HEIGHT = 170
const WAY_HEIGHT = 120
const SPACE = 22
const ABOUT = 60

/**
 * One violation: what was measured against which limit, the chart and the way, what was known when, who was told and what they
 * did, and who signed. All as the record had it at the order's position. The same order and record make the same bytes.
 */
export async function caseBook(making: Making): Promise<Uint8Array> {
  const { order, source } = making
  const [device] = source.devices
  if (device === undefined) throw new ReportFault('There is no device left to report on')
  const record = await caseRecordOf(order, source, device)
  const readings = await source.readings(device.no, order.from, order.to)
  const { doc, finish } = openBook(making)
  let y = drawHead(doc, making, device, record, readings)
  y = drawCourse(doc, making, device, record, readings, y)
  for (const part of [
    versionRows(record, making.local),
    notifiedRows(record, making.local),
    eventRows(doc, record, making.local),
    signatureRows(doc, record),
  ])
    y = await drawRows(making, doc, y + SPACE, part)
  return finish()
}

/** Whose it is, of when, and why it came about; answers where it ends. */
function drawHead(
  doc: Doc,
  { order, local }: Making,
  device: ReportDevice,
  { opening, why }: ReportedCase,
  readings: ReadingColumns,
): number {
  const { name } = VIOLATION_WORDS[opening.data.type]
  drawTitle(doc, { ...order, title: `Case: ${name.toLowerCase()}` })
  const row = readings.at.findIndex((at) => at >= Date.parse(why.violation.openedAt))
  const where = row === -1 || row >= readings.length ? '' : placeAt(readings, row)
  const about = [
    [
      'Device',
      [device.name, device.plateNumber, `IMEI ${device.imei}`, device.groupName].filter(Boolean).join(' · '),
    ],
    [
      'Violation',
      `${opening.data.violationId}, published as ${opening.id}${where === '' ? '' : `, ${where}`}`,
    ],
    ['Times', `${local.zone}`],
    ['Made', `${local.dateTime(order.requestedAt)} for ${order.requestedBy}, of log position ${order.upTo}`],
  ] as const
  let y = 122
  for (const [label, value] of about) {
    doc.font('text').fontSize(9).fillColor(QUIET).text(label, MARGIN, y, TABULAR)
    doc.fillColor(INK)
    doc.text(plain(value), MARGIN + ABOUT, y, { width: WIDTH - ABOUT, ellipsis: true, ...TABULAR })
    y += 15
  }
  y += 6
  for (const sentence of whyInWords(why, timesOf(local))) {
    doc.font('text').fontSize(9.5).fillColor(INK)
    const options = { width: WIDTH, features: TABULAR.features }
    const height = doc.heightOfString(plain(sentence), options)
    doc.text(plain(sentence), MARGIN, y, options)
    y += height + 3
  }
  return y + 8
}

const timesOf = (local: LocalTime) => ({
  time: (at: string) => local.dateTime(Date.parse(at)),
  clock: (at: string) => local.clock(Date.parse(at)),
  span: (seconds: number) => (seconds < 60 ? `${seconds} s` : lengthWords(seconds * 1000)),
})

/** The chart with the limits in force, and the way; answers where they end. */
function drawCourse(
  doc: Doc,
  making: Making,
  device: ReportDevice,
  { opening, versions }: ReportedCase,
  readings: ReadingColumns,
  top: number,
): number {
  const { order, gapMs, local } = making
  const { type } = opening.data
  const isTemperature = type.includes('TEMPERATURE')
  const limits = making.limitsInForce.ofDevice(device.no)
  const { since, clearedAt } = versions.at(-1) as CaseVersion
  const out = { from: Date.parse(since), to: clearedAt === null ? order.to : Date.parse(clearedAt) }
  if (readings.length === 0) {
    doc.font('text').fontSize(9).fillColor(QUIET)
    doc.text('No reading of this time is kept any more.', MARGIN, top, TABULAR)
    return top + 14
  }
  drawTemperature(
    doc,
    { x: MARGIN, y: top, width: WIDTH, height: CHART_HEIGHT },
    {
      readings: isTemperature ? readings : humidityAsDrawn(readings),
      limits: isTemperature ? limits.temperature : limits.humidity,
      ...{ from: order.from, to: order.to, gapMs },
      excursions: [{ type, from: out.from, to: Math.min(out.to, order.to), lastAt: out.to }],
    },
    local,
  )
  const y = top + CHART_HEIGHT + SPACE
  const isDrawn = drawWay(doc, { x: MARGIN, y, width: WIDTH, height: WAY_HEIGHT }, readings, out)
  return isDrawn ? y + WAY_HEIGHT : y - SPACE
}

/** The chart draws temperatures: humidity has the same scale, and another value for what is missing. */
function humidityAsDrawn(readings: ReadingColumns): ReadingColumns {
  const { humidity, temperature } = READING_FIELDS
  const drawn = Int16Array.from(readings.humidity, (value) =>
    value === humidity.missing ? temperature.missing : value,
  )
  return { ...readings, temperature: drawn }
}

function versionRows({ versions, opening }: ReportedCase, local: LocalTime) {
  const time = (at: string | null) => (at === null ? 'not ended' : local.dateTime(Date.parse(at)))
  return {
    heading: ['What was known', 'From', 'Began', 'Became one', 'Ended', 'Worst'],
    widths: [120, 85, 85, 85, 85, 55],
    none: '',
    rows: versions.map((one, i): Cells => {
      const what = one.neverWas ? 'It was none' : i === 0 ? 'As published at first' : 'Revised'
      return [
        one.readingsLate > 0 ? `${what}, ${counted(one.readingsLate, 'reading')} late` : what,
        time(one.knownAt),
        `${one.isSinceBefore ? 'before ' : ''}${time(one.since)}`,
        time(one.openedAt),
        time(one.clearedAt),
        one.worst === null ? '' : valueWords(opening.data.type, one.worst),
      ]
    }),
  }
}

const notifiedRows = ({ why }: ReportedCase, local: LocalTime) => ({
  heading: ['Who was notified', 'By', 'When', 'What came of it'],
  widths: [160, 80, 95, 180],
  rows: why.told.map(
    ({ userName, channel, at, state, detail }): Cells => [
      userName,
      CHANNELS[channel],
      local.dateTime(Date.parse(at)),
      `${DELIVERY_STATES[state]}${detail === '' ? '' : ` (${detail})`}`,
    ],
  ),
  none: 'Nobody had looked at it yet, and nobody wanted it by e-mail or SMS.',
})

const eventRows = (doc: Doc, { events }: ReportedCase, local: LocalTime) => ({
  heading: ['What happened', 'When', 'Who', 'Why'],
  widths: [120, 95, 110, 190],
  rows: events.flatMap(({ at, what, who, text, until }: CaseEvent) =>
    withWhole(
      doc,
      [
        `${CASE_EVENT_WORDS[what]}${until === undefined ? '' : ` until ${local.clock(Date.parse(until))}`}`,
        local.dateTime(Date.parse(at)),
        who || 'Frostline',
      ],
      text,
      190,
    ),
  ),
  none: '',
})

const signatureRows = (doc: Doc, { closed }: ReportedCase) => ({
  heading: ['Signed', 'Name', 'When', 'Why'],
  widths: [90, 110, 150, 165],
  rows: closed ? signature(doc, closed) : [],
  none: 'The case is open: nobody signed it.',
})

function signature(doc: Doc, { reason, signOff }: NonNullable<ReportedCase['closed']>): Cells[] {
  const { meaning, name, at, zone } = signOff
  const when = `${writtenTime(Date.parse(at), zone)} ${zone}`
  return withWhole(doc, [MEANING_WORDS[meaning], name, when], reason, 165)
}
