import type { FactOf } from '#machines/contracts/facts.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { whyAcknowledged } from '#machines/rules/case-words.ts'
import { VIOLATION_WORDS } from '#machines/rules/violation-words.ts'
import { knownPlaces } from '../../../data/places.ts'
import type { ReportDevice, ReportOrder } from '../order.ts'
import { type Making, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const EVENT: readonly Column[] = [
  { heading: 'Time', width: 20, as: 'time' },
  { heading: 'Event', width: 18, as: 'text' },
]
const ABOUT: readonly Column[] = [
  { heading: 'Value (°C or %)', width: 10, as: 'two' },
  { heading: 'Limit (°C or %)', width: 10, as: 'two' },
  { heading: 'Unit', width: 6, as: 'text' },
  { heading: 'Beyond since', width: 20, as: 'time' },
  { heading: 'Ended', width: 20, as: 'time' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Worst (°C or %)', width: 10, as: 'two' },
  { heading: 'Latitude (°)', width: 11, as: 'place' },
  { heading: 'Longitude (°)', width: 11, as: 'place' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'Acknowledged by', width: 20, as: 'text' },
  { heading: 'Acknowledged at', width: 20, as: 'time' },
  { heading: 'Comment', width: 40, as: 'text' },
]

const TYPES = Object.keys(VIOLATION_WORDS) as ViolationType[]

type Opened = FactOf<'violation.opened'> | FactOf<'violation.found'> | FactOf<'violation.found-late'>
type Event = {
  opened: Opened
  device: ReportDevice
  ended: { at: number; worst: number; seconds: number } | null
  acknowledged: FactOf<'violation.acknowledged'> | null
}

/** How many violations of each type asked for one device had, in their order. */
export type LookAtEvents = (device: ReportDevice, counts: readonly number[]) => void

/** All types where the order names none. */
export const requestedTypes = ({ types }: ReportOrder): readonly ViolationType[] => types ?? TYPES

/**
 * Violations that were published within the time asked for, as they were published: a row each, and counts a device. `look` sees
 * each device once, in order.
 */
export async function eventTables(making: Making, look: LookAtEvents = () => {}): Promise<Table[]> {
  const { source, order } = making
  const requested = requestedTypes(order)
  const events = (await eventsOf(making)).filter(({ opened: { data } }) => requested.includes(data.type))
  const counts = new Map<number, Map<ViolationType, number>>()
  for (const { opened, device } of events) {
    const { type } = opened.data
    const ofDevice = counts.get(device.no) ?? new Map<ViolationType, number>()
    counts.set(device.no, ofDevice.set(type, (ofDevice.get(type) ?? 0) + 1))
  }
  return [
    {
      name: 'Events',
      columns: [...EVENT, ...WHICH, ...ABOUT],
      rows: events.map(row),
    },
    {
      name: 'Devices',
      columns: [
        ...WHICH,
        ...requested.map((type): Column => ({ heading: VIOLATION_WORDS[type].name, width: 12, as: 'whole' })),
        { heading: 'Total', width: 9, as: 'whole' },
      ],
      rows: source.devices.map((device) => {
        const each = requested.map((type) => counts.get(device.no)?.get(type) ?? 0)
        look(device, each)
        return [...which(device), ...each, each.reduce((sum, n) => sum + n, 0)]
      }),
    },
  ]
}

/** In order of time, and of the record where that is the same. */
async function eventsOf({ source, order }: Making): Promise<Event[]> {
  const events = new Map<string, Event>()
  const types = [
    'violation.opened',
    'violation.found',
    'violation.found-late',
    'violation.revised',
    'violation.cleared',
    'violation.acknowledged',
  ] as const
  for await (const facts of source.facts(types, order.from)) {
    for (const fact of facts) {
      const { violationId } = fact.data
      if (
        fact.type === 'violation.opened' ||
        fact.type === 'violation.found' ||
        fact.type === 'violation.found-late'
      ) {
        const device = source.deviceOf(fact)
        if (device === undefined || fact.at < order.from || fact.at >= order.to) continue
        const ended = fact.type === 'violation.opened' ? null : endingOf(fact.data)
        events.set(violationId, { opened: fact, device, ended, acknowledged: null })
        continue
      }
      const event = events.get(violationId)
      if (event === undefined) continue
      if (fact.type === 'violation.revised') {
        if (fact.data.after === null) events.delete(violationId)
        else {
          event.opened = {
            ...event.opened,
            data: { ...event.opened.data, since: fact.data.after.since },
          } as Opened
          event.ended = endingOf(fact.data.after)
        }
        continue
      }
      if (fact.type === 'violation.acknowledged') event.acknowledged = fact
      else event.ended = { at: fact.at, worst: fact.data.worst, seconds: fact.data.durationSeconds }
    }
  }
  return [...events.values()].sort((a, b) => a.opened.at - b.opened.at || a.opened.seq - b.opened.seq)
}

type Ending = { since: number; clearedAt: number | null; worst: number }

const endingOf = ({ since, clearedAt, worst }: Ending): Event['ended'] =>
  clearedAt === null ? null : { at: clearedAt, worst, seconds: Math.round((clearedAt - since) / 1000) }

function row({ opened, device, ended, acknowledged }: Event): Value[] {
  const { type, value, threshold, since, lat, lng } = opened.data
  return [
    opened.at,
    VIOLATION_WORDS[type].name,
    ...which(device),
    value,
    threshold,
    VIOLATION_WORDS[type].unit,
    since,
    ended?.at,
    ended && ended.seconds * 1000,
    ended?.worst,
    lat,
    lng,
    knownPlaces().words(lat ?? Number.NaN, lng ?? Number.NaN),
    acknowledged?.data.userName,
    acknowledged?.at,
    acknowledged && whyAcknowledged(acknowledged.data),
  ]
}
