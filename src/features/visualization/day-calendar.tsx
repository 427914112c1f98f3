import type { ViolationTimes } from '#machines/contracts/entities/violations.ts'
import { counted } from '#machines/rules/figures.ts'
import { span } from '../../format/time.ts'
import { Panel } from '../../layout/page.tsx'
import { minutesInWords, weeksOf } from './time-words.ts'

type Day = ViolationTimes['days'][number]

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** On which days devices were beyond their limits: a calendar, the longer the darker. */
export function DayCalendar({ days }: { days: readonly Day[] }) {
  const most = Math.max(...days.map(({ minutes }) => minutes))
  return (
    <Panel title="By day">
      <table aria-label="Time beyond the limits by day" className="mx-4 mb-4 w-[calc(100%-2rem)] table-fixed">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" className="pb-1 text-left font-medium text-dense text-ink-faint">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days).map((week) => (
            <tr key={week.find((day) => day !== undefined)?.day}>
              {week.map((day, i) => (
                <td key={WEEKDAYS[i]} className="h-12 p-0.5">
                  {day && <DayCell day={day} most={most} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function DayCell({ day: { day, minutes, violations }, most }: { day: Day; most: number }) {
  const date = Number(day.slice(8))
  const month = MONTHS[Number(day.slice(5, 7)) - 1]
  const count = counted(violations, 'violation')
  return (
    <div
      title={`${date} ${month}: ${minutesInWords(minutes)}, ${count}`}
      className="relative flex h-full flex-col overflow-hidden rounded-small bg-sunken px-1.5 py-0.5"
    >
      <span
        aria-hidden
        className="absolute inset-0 bg-ink-faint [print-color-adjust:exact]"
        style={{ opacity: most === 0 ? 0 : (0.45 * minutes) / most }}
      />
      <span className="relative text-dense text-ink-soft">{date === 1 ? `1 ${month}` : date}</span>
      <span className="tabular relative truncate font-medium text-dense">
        {minutes > 0 ? span(minutes * 60) : ''}
      </span>
    </div>
  )
}
