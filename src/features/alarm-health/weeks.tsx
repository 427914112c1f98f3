import type { AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { formatCount } from '../../format/numbers.ts'
import { percentOf } from '../../format/percent.ts'
import { lasting, writtenDay } from '../../format/time.ts'
import { Panel } from '../../layout/page.tsx'
import { Time } from '../../ui/time.tsx'
import { slotMean } from './words.ts'

/** How it went over weeks, the newest first. */
export function Weeks({ weeks }: { weeks: AlarmHealth['weeks'] }) {
  if (weeks.length === 0) return null
  const most = Math.max(1, ...weeks.map(({ told }) => told))
  return (
    <Panel title="By week">
      <section
        aria-label="Weeks"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached with the keys
        tabIndex={0}
        className="overflow-x-auto px-4 pb-3 -outline-offset-2"
      >
        <table aria-label="Alarms by week" className="tabular w-full min-w-112 text-dense">
          <thead>
            <tr className="text-ink-faint">
              {['Until', 'Raised', '', 'Mean', 'Peak', 'In floods', 'Acknowledged'].map((head) => (
                <th key={head} scope="col" className="py-1 pr-3 text-left font-medium">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.toReversed().map(({ to, told, mean, peak, floodShare, medianToAcknowledgeSeconds }) => (
              <tr key={to}>
                <th scope="row" className="whitespace-nowrap py-1 pr-3 text-left font-normal">
                  <Time at={to} as={writtenDay} />
                </th>
                <td className="pr-3 text-right">{formatCount(told)}</td>
                <td aria-hidden className="w-1/4 pr-3">
                  <span
                    className="block h-3 min-w-0.5 rounded-[2px] bg-ink-faint"
                    style={{ width: `${(100 * told) / most}%` }}
                  />
                </td>
                <td className="pr-3">{slotMean(mean)}</td>
                <td className="pr-3">{formatCount(peak)}</td>
                <td className="whitespace-nowrap pr-3">{percentOf(floodShare, 1)}</td>
                <td className="whitespace-nowrap">
                  {medianToAcknowledgeSeconds === null ? '–' : `in ${lasting(medianToAcknowledgeSeconds)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}
