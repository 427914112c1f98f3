import { Panel } from '../../layout/page.tsx'
import { minutesInWords } from './time-words.ts'

const two = (hour: number): string => String(hour).padStart(2, '0')

/** When in the day devices were beyond their limits. `hours`: minutes of each hour, 0 to 23. */
export function HourChart({ hours }: { hours: readonly number[] }) {
  const most = Math.max(...hours)
  if (most === 0) return null
  const worst = hours.indexOf(most)
  return (
    <Panel title="By hour of the day">
      <ol
        aria-label="Time beyond the limits by hour of the day"
        className="grid h-36 grid-cols-24 items-end gap-0.5 px-4"
      >
        {hours.map((minutes, hour) => (
          <li
            // an hour is its place
            // biome-ignore lint/suspicious/noArrayIndexKey: there are always 24, in their order
            key={hour}
            title={`${two(hour)}:00–${two((hour + 1) % 24)}:00: ${minutesInWords(minutes)}`}
            className="relative flex h-full items-end hover:bg-hover"
          >
            <span className="sr-only">{`${two(hour)}:00: ${minutesInWords(minutes)}`}</span>
            <span
              aria-hidden
              className={`w-full rounded-t-[2px] [print-color-adjust:exact] ${hour === worst ? 'bg-ink-soft' : 'bg-ink-faint'}`}
              style={{ height: `${(100 * minutes) / most}%` }}
            />
          </li>
        ))}
      </ol>
      <div
        aria-hidden
        className="tabular mx-4 flex justify-between border-line border-t pt-1 text-dense text-ink-faint"
      >
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{`${two(hour)}:00`}</span>
        ))}
      </div>
      <p className="px-4 py-2 text-dense text-ink-soft">
        {`Most from ${two(worst)}:00 to ${two((worst + 1) % 24)}:00: ${minutesInWords(most)}.`}
      </p>
    </Panel>
  )
}
