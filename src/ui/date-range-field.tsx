import { useContext } from 'react'
import {
  type DateRange,
  latestEnd,
  PRESETS,
  presetDays,
  presetRange,
  type TypedRange,
  withEndInReach,
} from '#machines/rules/date-range.ts'
import { endOfDay } from '#machines/rules/zoned-time.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { ClockContext } from './clock-context.ts'
import { DateTimeField } from './date-time-field.tsx'

export type DateRangeFieldProps = {
  /** epoch ms, both ends included; null while parts are missing */
  range: TypedRange
  onChange: (range: TypedRange) => void
  /** named time zone the range is read in */
  timeZone: string
  /** `day`: whole days, from the first millisecond of one to the last of the other; `minute` by default */
  granularity?: 'day' | 'minute'
  /** what the ends are called, From and To by default */
  labels?: { from: string; to: string }
  /** what is wrong with each end; the lines for them are always there */
  messages?: { from?: string | undefined; to?: string | undefined }
  /** what is still to come today belongs to a span that ends now */
  goesOn?: boolean
  isDisabled?: boolean
}

/** Spans in one press, where whole days are asked for and where not. */
const DAYS = { day: 'Today', week: PRESETS.week, month: PRESETS.month } as const
const SPANS = ['day', 'night', 'week', 'month'] as const

/**
 * From when to when, in one press, or each typed or picked from a calendar. The calendar of the end goes on for a month after the start, to
 * today at most; once the start is left, an end beyond that is drawn in. The two stand in whatever lays them out.
 */
export function DateRangeField(props: DateRangeFieldProps) {
  const {
    range,
    onChange,
    timeZone,
    granularity = 'minute',
    messages = {},
    isDisabled = false,
    goesOn,
  } = props
  const { labels = { from: 'From', to: 'To' } } = props
  const clock = useContext(ClockContext)
  const now = clock.now()
  const { from, to } = range
  const drawIn = () => {
    const drawn = withEndInReach(range, clock.now(), timeZone)
    if (drawn !== range) onChange(drawn)
  }
  const offer = (text: string, spanAt: (now: number) => DateRange) => (
    <Button
      key={text}
      kind="quiet"
      isDisabled={isDisabled}
      onPress={() => {
        const pressedAt = clock.now()
        const span = spanAt(pressedAt)
        onChange(goesOn && span.to === pressedAt ? { ...span, to: endOfDay(pressedAt, timeZone) } : span)
      }}
      className="px-2 text-dense"
    >
      {text}
    </Button>
  )
  const isWrong = messages.from !== undefined || messages.to !== undefined
  const common = { timeZone, granularity, isDisabled, keepsLine: true }
  return (
    <>
      <DateTimeField
        {...common}
        label={labels.from}
        value={from}
        onChange={(at) => onChange({ from: at, to })}
        onLeave={drawIn}
        latest={now}
        message={messages.from}
      />
      <DateTimeField
        {...common}
        label={labels.to}
        value={to}
        onChange={(at) => onChange({ from, to: at === null ? null : endOf(at, granularity, timeZone) })}
        earliest={from ?? undefined}
        latest={from === null ? now : latestEnd(from, now, timeZone)}
        message={messages.to}
      />
      {/* on the lines for messages while there are none */}
      <div className={classNames('col-span-full -mx-2 flex flex-wrap pb-2', !isWrong && '-mt-6')}>
        {granularity === 'day'
          ? (['day', 'week', 'month'] as const).map((preset) =>
              offer(DAYS[preset], (at) => presetDays(preset, at, timeZone)),
            )
          : SPANS.map((preset) => offer(PRESETS[preset], (at) => presetRange(preset, at, timeZone)))}
      </div>
    </>
  )
}

/** A day as an end is meant to its last millisecond. */
const endOf = (at: number, granularity: 'day' | 'minute', timeZone: string): number =>
  granularity === 'day' ? endOfDay(at, timeZone) : at
