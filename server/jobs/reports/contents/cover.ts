import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import { DRIVING_KMH } from '#machines/rules/motion.ts'
import { STOP_ENDS_TRIP } from '#machines/rules/trips.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { LOOK_BACK_DAYS } from './last-word.ts'
import type { Making } from './making.ts'
import { limitOf } from './speeding.ts'
import type { CoverLine, CoverPart } from './workbook.ts'

/** So many names are listed one by one; of more only the number. */
const NAMED = 40
/** Letters of a line of text that fit beside the labels */
const WIDEST = 105

/** What a report is, of what, by which rules and limits, and made when and from what. */
export function coverOf(making: Making): CoverPart[] {
  const { order, source, local } = making
  return [
    {
      lines: [
        ['Company', order.company.name],
        ['From', { time: order.from }],
        ['To', { time: order.to }],
        ['Time zone of all times', local.zone],
        ['Requested by', order.requestedBy],
        ['Requested at', { time: order.requestedAt }],
        ['Made from the log up to', `position ${order.upTo}`],
        ['Report number', order.reportId],
        ...(order.version === undefined
          ? []
          : [['Version', `${order.version}, with readings that came later`] satisfies CoverLine]),
      ],
    },
    {
      heading: 'What it is about',
      lines: [
        ['Devices', source.devices.length],
        ...lined('Groups picked', named(source.picked.groups)),
        ...lined('Devices picked', named(source.picked.devices)),
        ...filters(making),
      ],
    },
    {
      heading: 'How it is reckoned',
      lines: RULES[order.kind](making).flatMap(([label, text]) => lined(label, text)),
    },
    { heading: 'Thresholds in force', isTable: true, lines: thresholds(making) },
  ]
}

/** A text in lines, and what has no blank in pieces: spreadsheets do not make a row higher for a text that is wrapped. */
function lined(label: string, text: string): CoverLine[] {
  const lines = text.match(new RegExp(`\\S.{0,${WIDEST - 1}}(?=\\s|$)|\\S{1,${WIDEST}}`, 'gsu')) ?? ['']
  return lines.map((line, i) => [i === 0 ? label : '', line])
}

function named(names: readonly string[]): string {
  if (names.length === 0) return 'None'
  const listed = names.slice(0, NAMED).join(', ')
  return names.length > NAMED ? `${listed} and ${names.length - NAMED} more` : listed
}

function filters({ order }: Making): CoverLine[] {
  const lines: CoverLine[] = []
  if (order.kind === 'event' || order.kind === 'event-graph')
    lines.push(['Events', order.types?.map((type) => VIOLATION_WORDS[type].name).join(', ') ?? 'All'])
  if (order.minDistance !== null) lines.push(['Least distance (km)', order.minDistance])
  if (order.kind === 'speeding') lines.push(['Speed limit (km/h)', limitOf(order)])
  if (order.partOfDay !== null) {
    const { startTime, endTime } = order.partOfDay
    lines.push(['Part of each day', `${startTime} to ${endTime === '00:00' ? 'midnight' : endTime}`])
  }
  return lines
}

type Rule = [label: string, text: string]

const DRIVING: Rule = [
  'Driving',
  `At ${DRIVING_KMH} km/h and more with the ignition on; the distance is the great circle from position to position while driving, so that a parked vehicle whose position wanders travels nothing.`,
]

const WAY: Rule = [
  'Empty cells',
  'Of what was driven without positions nobody knows how far it was; the average speed is over the time of which it is known.',
]

/** How each kind of report is reckoned. */
const RULES: Record<ReportKind, (making: Making) => Rule[]> = {
  distance: (making) => [DRIVING, WAY, gaps(making)],
  trip: (making) => [
    DRIVING,
    WAY,
    ['Trips', `A stop of ${minutes(STOP_ENDS_TRIP)} ends one, and so does a gap.`],
    gaps(making),
  ],
  temperature: (making) => [
    ['Means', 'Each reading counts for half of the time to its neighbours.'],
    ['Mean kinetic temperature', 'USP <1079.2> (Haynes): heat of activation 83.144 kJ/mol, weighed by time.'],
    [
      'Out of range',
      'All time beyond a limit, however short. A reading that is a gap away from both its neighbours stands for no time: it is counted among the readings.',
    ],
    [
      'Excursions',
      `${excursion(making)} One that began before the time asked for is reported from its first reading in it.`,
    ],
    [
      'Loads',
      'As they stood when the time asked for ended, each from its opening on, by the version of its profile it was opened with. A budget is exhausted by what is sure to have been used; “at most” also counts what may have been in gaps. Of one whose first readings are no longer kept: what was published of it, and what the rest says.',
    ],
    gaps(making),
  ],
  event: (making) => [['Events', excursion(making)]],
  'event-graph': (making) => [['Events', excursion(making)]],
  power: (making) => [
    ['Ignition', 'On from the reading that says so to the one that says it is off.'],
    [
      'Unplugged',
      'From the first reading that says so until one that says it is plugged in; silence in between counts.',
    ],
    gaps(making),
  ],
  speeding: (making) => [
    [
      'Over-speeding',
      'By the speed the receiver measured: from the first reading above the limit to the first that is not.',
    ],
    ['Empty cells', 'Of a device that sends no speed nobody knows how fast it was.'],
    gaps(making),
  ],
  stoppage: (making) => [
    DRIVING,
    [
      'Stops',
      `Standing for ${minutes(STOP_ENDS_TRIP)} or longer; one under way when the time asked for begins is reported from its first reading on, and a gap ends it.`,
    ],
    ['Engine on', 'Between two readings that both say the ignition is on; empty where none says so.'],
    gaps(making),
  ],
  silence: ({ gapMs }) => [
    [
      'Not responding',
      `A silence longer than ${minutes(gapMs)} between two readings, or up to the end; by when things were measured, so that what a device stored and sent late is no silence.`,
    ],
    [
      'Last word',
      `It may be before the time asked for: it is looked for ${LOOK_BACK_DAYS} days back. Who was not heard in them either is reported as not heard.`,
    ],
  ],
  status: ({ gapMs }) => [
    ['Status', 'As the dashboard has it, when the time asked for ended.'],
    [
      'Values',
      `The newest received, if not longer than ${minutes(gapMs)} before the last reading; what was not measured is empty. The last reading is looked for ${LOOK_BACK_DAYS} days back.`,
    ],
  ],
  travel,
  'travel-graph': travel,
  proof: () => [],
  case: () => [],
  observation: () => [['Location', 'The nearest known town, and how far it is.']],
}

function travel(making: Making): Rule[] {
  const days =
    'Only those with at least the least distance, within the part of the day that was asked for; of a device that sent nothing there is no distance.'
  return [DRIVING, WAY, ['Days', days], gaps(making)]
}

const gaps = ({ gapMs }: Making): Rule => [
  'Gaps',
  `A silence longer than ${minutes(gapMs)} is no data: neither time nor distance is made up for it.`,
]

const excursion = ({ source: { violations: by } }: Making): string =>
  `Beyond the limit for ${minutes(by.violationDelaySeconds * 1000)}, until back inside by ${by.clearMarginTemperature} °C or ${by.clearMarginHumidity} % of humidity, unless its group has set otherwise, as violations are published.`

const minutes = (ms: number): string => `${Math.round((ms / 60_000) * 10) / 10} min`

function thresholds({ limitsInForce, source, order }: Making): CoverLine[] {
  const names = new Map(source.groups.map(({ groupId, name }) => [groupId, name]))
  const limit = (value: number) => (Number.isNaN(value) ? 'not set' : value)
  return [
    ['Group', 'Holds from', 'Lowest °C', 'Highest °C', 'Lowest % humidity', 'Highest % humidity'],
    ...limitsInForce.groups.map(
      ({ groupId, from, temperature, humidity }): CoverLine => [
        names.get(groupId) ?? groupId,
        from <= order.from ? 'the beginning' : { time: from },
        limit(temperature.low),
        limit(temperature.high),
        limit(humidity.low),
        limit(humidity.high),
      ],
    ),
  ]
}
