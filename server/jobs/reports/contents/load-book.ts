import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import { goneWords, hoursWords, ruleWords } from '#machines/rules/budget-words.ts'
import { figure } from '#machines/rules/figures.ts'
import { momentWords, unmeasuredMinutes } from '#machines/rules/load-state-words.ts'
import { MEANING_WORDS } from '#machines/rules/sign-off-words.ts'
import { writtenTime } from '#machines/rules/written-time.ts'
import { drawCourse } from './load-chart.ts'
import { createLocalTime, type LocalTime } from './local-time.ts'
import { openBook } from './pdf-book.ts'
import {
  type Cells,
  COLD,
  type Doc,
  degrees,
  drawFigures,
  drawTable,
  drawTitle,
  HOT,
  INK,
  MARGIN,
  PAGE,
  plain,
  QUIET,
  TABULAR,
  WIDTH,
} from './pdf-page.ts'
import { withWhole } from './pdf-rows.ts'

/** For whom it is made, and when (epoch ms). */
export type LoadBookOf = {
  story: LoadStory
  company: { companyId: string; name: string; timeZone: string }
  madeFor: string
  madeAt: number
}

const CHART = { top: 262, height: 190 }
const SPACE = 22
const ROW = 14
/** The column of what people wrote, pt */
const WHY = 190
const BOTTOM = PAGE.height - 50

/** The story of a load on paper, as its page in the portal shows it. The same story makes the same bytes. */
export async function loadBook(of: LoadBookOf): Promise<Uint8Array> {
  const { story, company, madeAt } = of
  const local = createLocalTime(company.timeZone)
  const order = { reportId: story._id, title: story.reference, company, requestedAt: madeAt }
  const { doc, finish } = openBook({ order, pause: async () => {} })
  drawHead(doc, of, local)
  if (story.course.at.length > 1)
    drawCourse(doc, { x: MARGIN, y: CHART.top, width: WIDTH, height: CHART.height }, story, local)
  let y = CHART.top + (story.course.at.length > 1 ? CHART.height + SPACE : 0)
  for (const table of tablesOf(doc, story, local)) y = drawRows(doc, y, table) + SPACE
  return finish()
}

function drawHead(doc: Doc, { story, company, madeFor, madeAt }: LoadBookOf, local: LocalTime): void {
  const { budget, profile } = story
  const unmeasured = unmeasuredMinutes(story)
  drawTitle(doc, { title: story.reference, company })
  const [opened, closed] = [story.openedAt, story.closedAt].map((at) => at && local.dateTime(Date.parse(at)))
  const about = [
    [
      'Device',
      [story.deviceName, story.plateNumber, `IMEI ${story.imei}`, story.groupName]
        .filter(Boolean)
        .join(' · '),
    ],
    ['Under way', `${closed ? `${opened} to ${closed}` : `since ${opened}, not closed yet,`} ${local.zone}`],
    ['Profile', `${profile.name}, version ${profile.number}: ${profile.source}`],
    ['Made', `${local.dateTime(madeAt)} for ${madeFor}`],
    ...goneOf(story, local),
  ] as const
  for (const [i, [label, value]] of about.entries()) {
    const y = 118 + i * (60 / about.length)
    doc.font('text').fontSize(9).fillColor(QUIET).text(label, MARGIN, y, TABULAR)
    doc.fillColor(INK).text(plain(value), MARGIN + 60, y, { width: WIDTH - 60, ellipsis: true, ...TABULAR })
  }
  doc
    .font('strong')
    .fontSize(12)
    .fillColor(budget.state === 'exhausted' ? HOT : INK)
  // a long reason ends after two lines: the whole of it is in the table of what happened
  doc.text(plain(sentenceOf(story)), MARGIN, 190, { width: WIDTH, height: 30, ellipsis: true, ...TABULAR })
  drawFigures(doc, 222, [
    ['Used', budget.percent === null ? '–' : `${Math.floor(budget.percent)} %`, INK],
    ['Minimum', degrees(budget.lowest ?? Number.NaN), INK],
    ['Maximum', degrees(budget.highest ?? Number.NaN), INK],
    ['Mean kinetic', degrees(budget.mkt?.value ?? Number.NaN), INK],
    ['Measured', isNoneLeft(story) ? '–' : hoursWords(budget.measuredMinutes), INK],
    ['Without readings', unmeasured === undefined ? '–' : hoursWords(unmeasured), INK],
  ])
}

/** Which of its readings are no longer kept. */
function goneOf(story: LoadStory, local: LocalTime): (readonly [string, string])[] {
  const { keptFrom } = story
  if (keptFrom === undefined) return []
  return [['Readings', `${goneWords(story, keptFrom, local.dateTime(Date.parse(keptFrom)))}.`]]
}

const isNoneLeft = ({ keptFrom, budget }: LoadStory): boolean =>
  keptFrom !== undefined && budget.measuredMinutes === 0

function sentenceOf({ state, words, decision }: LoadStory): string {
  if (state === 'in-review') return `In review. ${words}`
  if (decision === null || !isDecided(state)) return words
  return `${state === 'released' ? 'Released' : 'Rejected'} by ${decision.userName}: ${decision.reason}`
}

/** What was released and is exhausted again is decided no more. */
const isDecided = (state: LoadStory['state']): boolean => state === 'released' || state === 'rejected'

type Table = { heading: string[]; widths: number[]; rows: Cells[]; none: string }

const ACTIONS: Record<LoadStory['actions'][number]['action'], string> = {
  opened: 'Opened',
  exhausted: 'Exhausted',
  revised: 'Corrected',
  'review-begun': 'Review begun',
  released: 'Released',
  rejected: 'Rejected',
  closed: 'Closed',
}

function tablesOf(doc: Doc, story: LoadStory, local: LocalTime): Table[] {
  const time = (at: string) => local.dateTime(Date.parse(at))
  const isGone = story.keptFrom !== undefined
  const more = (count: number): Cells[] => (count === 0 ? [] : [[`and ${count} more`]])
  const amount = (value: number | null, isMkt: boolean) =>
    value === null ? '–' : isMkt ? `${figure(value, 2)} °C` : hoursWords(value)
  return [
    {
      heading: ['Rule', 'Used', 'At least', 'At most', 'Exhausted'],
      widths: [278, 50, 50, 50, 87],
      none: '',
      rows: story.budget.rules.map(({ rule, used, least, most, exhaustedAt }) => {
        const isMkt = rule.kind === 'mkt'
        return [
          // shorter than on a screen, so that what it allows is not cut off
          ruleWords(rule).replace('Mean kinetic temperature', 'Mean kinetic'),
          ...[used, least, most].map((value) => amount(value, isMkt)),
          exhaustedAt === null ? (isGone ? '–' : 'no') : [time(exhaustedAt), HOT],
        ]
      }),
    },
    {
      heading: ['Beyond', 'Began', 'Ended', 'Duration', 'Worst'],
      widths: [135, 110, 110, 90, 70],
      none: `Never beyond a limit of its profile${isGone ? ', as far as its readings are kept' : ''}.`,
      rows: [
        ...story.spells.map(
          ({ side, limit, from, to, minutes, worst }): Cells => [
            [
              `${side === 'above' ? '▲ above' : '▼ below'} ${figure(limit)} °C`,
              side === 'above' ? HOT : COLD,
            ],
            time(from),
            to === null ? 'not ended yet' : time(to),
            hoursWords(minutes),
            degrees(worst),
          ],
        ),
        ...more(story.moreSpells),
      ],
    },
    {
      heading: ['Where', 'From', 'To'],
      widths: [265, 125, 125],
      none: isGone ? 'Its position is no longer kept.' : 'Its position was not measured.',
      rows: [
        ...story.places.map(
          ({ place, from, to }, i): Cells => [place, time(from), momentWords(story, i) ?? time(to)],
        ),
        ...more(story.morePlaces),
      ],
    },
    {
      heading: ['What happened', 'When', 'Who', 'Why'],
      widths: [95, 110, 120, WHY],
      none: '',
      rows: story.actions.flatMap(({ action, at, userName, text, knownSince }) =>
        withWhole(
          doc,
          [ACTIONS[action], time(at), userName ?? 'the readings'],
          knownSince === undefined ? text : `known since ${time(knownSince)}, by late readings`,
          WHY,
        ),
      ),
    },
    ...signedOf(story),
  ]
}

/** Who signed what was decided, with what it means and the time in the zone they signed in; none where nobody did. */
function signedOf({ state, decision }: LoadStory): Table[] {
  if (!decision?.signOff || !isDecided(state)) return []
  const { meaning, name, at, zone } = decision.signOff
  return [
    {
      heading: ['Signed', 'Name', 'When'],
      widths: [135, 190, 190],
      none: '',
      rows: [[MEANING_WORDS[meaning], name, `${writtenTime(Date.parse(at), zone)} ${zone}`]],
    },
  ]
}

/** A table over as many pages as it takes. @returns where the next thing may stand */
function drawRows(doc: Doc, top: number, { heading, widths, rows, none }: Table): number {
  let y = top
  const left = [...rows]
  if (left.length === 0 && none !== '') left.push([none])
  do {
    if (y + 3 * ROW > BOTTOM) {
      doc.addPage()
      y = 60
    }
    const room = Math.max(1, Math.floor((BOTTOM - y) / ROW) - 1)
    const here = left.splice(0, room)
    const isNone = rows.length === 0
    drawTable(doc, y, heading, here, isNone ? [WIDTH, ...widths.slice(1)] : widths)
    y += (here.length + 1) * ROW
  } while (left.length > 0)
  return y
}
