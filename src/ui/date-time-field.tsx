import {
  type CalendarDate,
  type CalendarDateTime,
  fromAbsolute,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date'
import { CalendarClock, ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Calendar, CalendarCell, CalendarGrid, Heading } from 'react-aria-components/Calendar'
import { DateInput, DateSegment, Label } from 'react-aria-components/DateField'
import { DatePicker, Group, Popover } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Text } from 'react-aria-components/Text'
import { fieldFrame } from './text-field.tsx'

export type DateTimeFieldProps = {
  label: string
  /** epoch ms; null while parts are missing */
  value: number | null
  onChange: (at: number | null) => void
  /** named time zone the field is read in */
  timeZone: string
  message?: string | undefined
  /** the line for its message is always there, so that nothing moves when it comes */
  keepsLine?: boolean
  /** `day`: DD-MM-YYYY without a time; its value is the first millisecond of the day. Otherwise minutes are the finest */
  granularity?: 'day' | 'minute' | undefined
  /** epoch ms: the calendar offers no day before and none after these. What is typed is for the caller to check */
  earliest?: number | undefined
  latest?: number | undefined
  isDisabled?: boolean | undefined
  /** the focus went elsewhere, its calendar aside */
  onLeave?: (() => void) | undefined
}

/** Day and time in segments, DD-MM-YYYY HH:mm, with a calendar beside it. */
export function DateTimeField(props: DateTimeFieldProps) {
  const { label, value, onChange, timeZone, message, granularity = 'minute', earliest, latest } = props
  const { isDisabled = false, keepsLine = false, onLeave } = props
  const shown = (at: number): CalendarDate | CalendarDateTime =>
    (granularity === 'day' ? toCalendarDate : toCalendarDateTime)(fromAbsolute(at, timeZone))
  // The picker tells of whole dates alone and goes on with the last while a part of it is missing: what is kept for it.
  const [kept, setKept] = useState<number | null>(null)
  const inPicker = value ?? kept
  const lookForGaps = ({ currentTarget }: KeyboardEvent): void => {
    const hasGap = currentTarget.querySelector('[data-placeholder]') !== null
    if (hasGap === (value === null)) return
    setKept(hasGap ? value : null)
    if (hasGap || kept !== null) onChange(hasGap ? null : kept)
  }
  const dayOf = (at: number) => toCalendarDate(fromAbsolute(at, timeZone))
  return (
    <I18nProvider locale="en-GB">
      <DatePicker
        granularity={granularity}
        hourCycle={24}
        hideTimeZone
        shouldForceLeadingZeros
        isDisabled={isDisabled}
        isInvalid={message !== undefined}
        // What is wrong is the form's to say: the browser's own check would keep it from being sent again.
        validationBehavior="aria"
        value={inPicker === null ? null : shown(inPicker)}
        onChange={(date) => {
          setKept(null)
          onChange(date && toZoned(withoutSeconds(date), timeZone).toDate().getTime())
        }}
        onKeyUp={lookForGaps}
        {...(onLeave && { onBlur: onLeave })}
        className="group/field flex min-w-0 flex-col"
      >
        <Label className="pb-1 font-medium text-dense text-ink-soft">{label}</Label>
        <Group className={`${fieldFrame} pl-3`}>
          <DateInput className="flex flex-1 whitespace-nowrap tabular">
            {(segment) => (
              <DateSegment segment={segment} className={classOf(segment)}>
                {({ type, text }) => (type === 'literal' ? hyphenated(text) : text)}
              </DateSegment>
            )}
          </DateInput>
          <AriaButton
            aria-label={`${label}: calendar`}
            className="flex size-control items-center justify-center rounded-small text-ink-faint -outline-offset-2 data-hovered:text-ink"
          >
            <CalendarClock size={16} aria-hidden />
          </AriaButton>
        </Group>
        <Popover offset={4} className="floating overflow-auto p-3">
          <Dialog className="outline-none">
            <Calendar
              {...(earliest !== undefined && { minValue: dayOf(earliest) })}
              {...(latest !== undefined && { maxValue: dayOf(latest) })}
            >
              <header className="flex items-center pb-2">
                <Heading className="flex-1 px-2 font-semibold" />
                <Step slot="previous" />
                <Step slot="next" />
              </header>
              <CalendarGrid className="border-separate border-spacing-0.5 text-dense">
                {(date) => <CalendarCell date={date} className={cell} />}
              </CalendarGrid>
            </Calendar>
          </Dialog>
        </Popover>
        {(keepsLine || message !== undefined) && (
          <div
            role={message === undefined ? undefined : 'alert'}
            className="min-h-7 pt-1 text-dense text-error"
          >
            {message !== undefined && <Text slot="errorMessage">{message}</Text>}
          </div>
        )}
      </DatePicker>
    </I18nProvider>
  )
}

/** By the clock of its zone: while a year is typed it is one of the first, when zones were seconds off whole minutes. */
const withoutSeconds = (date: CalendarDate | CalendarDateTime): CalendarDate | CalendarDateTime =>
  'second' in date ? date.set({ second: 0, millisecond: 0 }) : date

/** The locale writes 01/11/2026, 14:05; the documents 01-11-2026 14:05. */
const hyphenated = (literal: string): string => literal.replace('/', '-').replace(',', '')

/** As wide as a hyphen, with proportional figures, which tabular ones would stretch: parts lie over its sides. */
const separator = 'min-w-[0.45em] whitespace-pre text-center leading-6 [font-variant-numeric:normal]'
/** Around the time stand marks of its direction, which nobody sees. */
const MARK = /^[\u2066-\u2069]$/
function classOf({ type, text }: { type: string; text: string }): string {
  if (type === 'literal') return MARK.test(text) ? '' : separator
  return type === 'year' ? part : `${part} -mx-[3px] min-w-6`
}

/** Large enough to be hit (WCAG 2.2, 2.5.8), and no wider to the eye than its two figures. */
const part =
  'relative rounded-[3px] text-center leading-6 outline-none data-focused:bg-accent data-focused:text-on-accent data-placeholder:text-ink-faint'

const cell =
  'flex size-9 items-center justify-center rounded-small outline-none data-disabled:text-ink-faint data-hovered:bg-hover data-outside-month:hidden data-selected:bg-accent data-selected:text-on-accent data-focus-visible:outline-2 data-focus-visible:outline-focus'

function Step({ slot }: { slot: 'previous' | 'next' }) {
  const Icon = slot === 'previous' ? ChevronLeft : ChevronRight
  return (
    <AriaButton
      slot={slot}
      className="flex size-9 items-center justify-center rounded-small text-ink-soft data-disabled:opacity-40 data-hovered:bg-hover"
    >
      <Icon size={16} aria-hidden />
    </AriaButton>
  )
}
