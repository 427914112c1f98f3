import { useState } from 'react'
import { Link } from 'wouter'
import type { ViolationTimes } from '#machines/contracts/entities/violations.ts'
import { counted } from '#machines/rules/figures.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { useViolationTimes } from '../../actors/violation-times.ts'
import { formatCount } from '../../format/numbers.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Segments } from '../../ui/segments.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { DayCalendar } from './day-calendar.tsx'
import { HourChart } from './hour-chart.tsx'
import { KINDS } from './kinds.ts'
import { excessInWords, minutesInWords } from './time-words.ts'

export type TimeBeyondProps = {
  filter: ValidFilter
  /** when what stands above it was asked for, epoch ms */
  at: number
}

/** How long and how far devices were beyond their limits: in all, by device, worst first, by hour, day and place. */
export function TimeBeyond({ filter, at }: TimeBeyondProps) {
  const { answer, failure, ask } = useViolationTimes(filter, at)
  if (answer === undefined)
    return (
      <Panel title={TITLE}>
        {failure ? (
          <ErrorState
            title="How long devices were beyond their limits could not be loaded"
            details={failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          />
        ) : (
          <SkeletonRows rows={4} className="p-2" />
        )}
      </Panel>
    )
  if (answer.devices.length === 0) return null
  return (
    <>
      <Totals times={answer} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,24rem),1fr))] items-start gap-4">
        <div className="flex flex-col gap-4">
          {answer.days.length > MOST_PLAIN_DAYS && <DayCalendar days={answer.days} />}
          <HourChart hours={answer.hours} />
        </div>
        <Places places={answer.places} placesOf={answer.placesOf} />
      </div>
      <WorstDevices devices={answer.devices} more={answer.more} />
    </>
  )
}

const TITLE = 'Time beyond the limits'
/** So few days need no calendar. */
const MOST_PLAIN_DAYS = 2

/** In all and by kind, those that were out at all. */
function Totals({ times: { minutes, kinds } }: { times: ViolationTimes }) {
  return (
    <Panel title={TITLE}>
      <div className="flex flex-wrap items-end gap-x-8 gap-y-3 px-4 pb-4">
        <p className="flex flex-col">
          <span className="tabular font-semibold text-figure">{minutesInWords(minutes)}</span>
          <span className="text-dense text-ink-soft">
            of all devices together, also by violations that began before
          </span>
        </p>
        <ul aria-label="Time beyond the limits by kind" className="flex flex-wrap gap-x-6 gap-y-2">
          {KINDS.filter(({ type }) => kinds[type] > 0).map(({ type, word, glyph }) => (
            <li key={type} className="flex flex-col">
              <span className="tabular font-medium">{minutesInWords(kinds[type])}</span>
              <span className="flex items-center gap-1.5 text-dense text-ink-soft">
                <StateGlyph state={glyph} size={11} isDecorative />
                {word}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

type WorstDevice = ViolationTimes['devices'][number]
type Order = 'longest' | 'farthest' | 'most often'

const ORDERS: readonly { id: Order; text: string; of: (device: WorstDevice) => number }[] = [
  { id: 'longest', text: 'Longest', of: ({ minutes }) => minutes },
  {
    id: 'farthest',
    text: 'Farthest',
    // what is too much to add up is farther than all that is not
    of: ({ degreeMinutes }) => degreeMinutes ?? Number.POSITIVE_INFINITY,
  },
  { id: 'most often', text: 'Most often', of: ({ violations }) => violations },
]

const COLUMNS =
  'max-desk:flex max-desk:flex-wrap max-desk:gap-x-3 desk:grid desk:grid-cols-[minmax(8rem,2fr)_6rem_minmax(9rem,2fr)_5rem_minmax(6rem,1fr)] desk:items-center desk:gap-x-4'

/** So many rows are shown at first. */
const FIRST_ROWS = 10

/** The devices that were out longest, in the order that is asked for. */
function WorstDevices({ devices, more }: { devices: readonly WorstDevice[]; more: number }) {
  const [order, setOrder] = useState<Order>('longest')
  const [isWhole, setWhole] = useState(false)
  const { of } = ORDERS.find(({ id }) => id === order) ?? { of: () => 0 }
  const sorted = devices.toSorted((a, b) => of(b) - of(a) || b.minutes - a.minutes)
  const left = isWhole ? 0 : Math.max(0, devices.length - FIRST_ROWS)
  return (
    <Panel title="Worst devices">
      <div className="w-72 max-w-full px-4 pb-2">
        <Segments label="Worst by" isLabelHidden options={ORDERS} value={order} onChange={setOrder} />
      </div>
      <RowTable
        label="Worst devices"
        heads={['Device', 'Time out', 'How far', 'Violations', 'Where']}
        columns={COLUMNS}
        rows={isWhole ? sorted : sorted.slice(0, FIRST_ROWS)}
        keyOf={({ imei }) => imei}
        heights={{ line: 40, card: 64 }}
        rowLook="hover:bg-hover"
      >
        {(device) => <DeviceCells device={device} />}
      </RowTable>
      <div className="flex flex-wrap items-center gap-x-4 border-line border-t px-4 py-1 text-dense text-ink-soft empty:hidden">
        {left > 0 && (
          <Button kind="quiet" className="-ml-2 px-2" onPress={() => setWhole(true)}>
            {`Show ${formatCount(left)} more`}
          </Button>
        )}
        {more > 0 && (
          <p className="tabular py-1.5">
            {`${formatCount(more)} ${more === 1 ? 'device was' : 'devices were'} out for less time than these ${formatCount(devices.length)}.`}
          </p>
        )}
      </div>
    </Panel>
  )
}

function DeviceCells({ device }: { device: WorstDevice }) {
  const { imei, name, plateNumber, minutes, violations, degreeMinutes, percentMinutes, place } = device
  const far = excessInWords(degreeMinutes, percentMinutes)
  return (
    <>
      <td className="block min-w-0 truncate max-desk:basis-full">
        <Link
          href={`/temperature/${imei}`}
          className="font-medium -outline-offset-2 after:absolute after:inset-0"
        >
          {name}
        </Link>
        {plateNumber !== '' && plateNumber !== name && (
          <span className="pl-2 text-dense text-ink-faint">{plateNumber}</span>
        )}
      </td>
      <td className="tabular block font-medium">{minutesInWords(minutes)}</td>
      <td className="tabular flex flex-wrap gap-x-2 text-ink-soft">
        {far.length === 0 ? (
          <span title="Too long to be added up here: choose fewer devices or days">–</span>
        ) : (
          far.map((words) => (
            <span key={words} className="whitespace-nowrap">
              {words}
            </span>
          ))
        )}
      </td>
      <td className="tabular block text-ink-soft">
        {formatCount(violations)}
        <span className="desk:sr-only">{violations === 1 ? ' violation' : ' violations'}</span>
      </td>
      <td className="block min-w-0 truncate text-ink-soft">{place}</td>
    </>
  )
}

/** Where violations began, by the nearest town, longest first. */
function Places({ places, placesOf }: Pick<ViolationTimes, 'places' | 'placesOf'>) {
  const known = places.filter(({ place }) => place !== '')
  const most = known[0]?.minutes ?? 0
  if (known.length === 0) return null
  return (
    <Panel title="By place">
      <ul aria-label="Time beyond the limits by place" className="flex flex-col gap-1 px-4 pb-3">
        {known.map(({ place, minutes, violations }) => (
          <li
            key={place}
            className="grid grid-cols-[minmax(6rem,9rem)_1fr_4.5rem] items-center gap-x-3 text-dense"
            title={counted(violations, 'violation')}
          >
            <span className="truncate">{place}</span>
            <span aria-hidden className="h-3">
              <span
                className="block h-full min-w-0.5 rounded-[2px] bg-ink-faint [print-color-adjust:exact]"
                style={{ width: `${(100 * minutes) / (most || 1)}%` }}
              />
            </span>
            <span className="tabular text-right">{minutesInWords(minutes)}</span>
          </li>
        ))}
      </ul>
      <p className="px-4 pb-3 text-dense text-ink-faint">
        {`The town nearest to where each began${placesOf >= 1000 ? `, of the ${formatCount(placesOf)} longest` : ''}.`}
      </p>
    </Panel>
  )
}
