import type { CaseEvent, CaseVersion } from '#machines/contracts/entities/violation-case.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { CASE_EVENT_WORDS } from '#machines/rules/case-words.ts'
import { valueWords } from '#machines/rules/violation-words.ts'
import { clockTime } from '../../format/time.ts'
import { Time } from '../../ui/time.tsx'

/** What happened to a violation, oldest first. */
export function CaseEvents({ events }: { events: readonly CaseEvent[] }) {
  return (
    <ol aria-label="What happened" className="flex flex-col px-4 text-dense">
      {events.map(({ at, what, who, text, until }, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two may happen at one instant, and none moves
          key={`${at} ${what} ${i}`}
          className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 py-1"
        >
          <Time at={at} className="tabular text-ink-soft" />
          <p className="min-w-0 break-words">
            <span className="font-medium">{CASE_EVENT_WORDS[what]}</span>
            {until !== undefined && (
              <>
                {' until '}
                <Time at={until} as={clockTime} />
              </>
            )}
            {who !== '' && ` by ${who}`}
            {text !== '' && `: ${text}`}
          </p>
        </li>
      ))}
    </ol>
  )
}

const HEADS = ['Known from', 'Began', 'Became one', 'Over', 'Worst']

/** What was known of a violation, as told at first and after each time that late readings showed it otherwise. */
export function CaseVersions({ versions, type }: { versions: readonly CaseVersion[]; type: ViolationType }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the window is scrolled by keys too
    <section aria-label="Versions" tabIndex={0} className="overflow-x-auto px-4">
      <table className="tabular w-full min-w-140 text-left text-dense">
        <thead className="text-ink-soft">
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col" className="py-1 pr-3 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((one) => (
            <tr key={`${one.knownAt} ${one.since} ${one.clearedAt}`} className="border-line border-t">
              <th scope="row" className="py-1 pr-3 font-medium">
                <Time at={one.knownAt} />
                {one.readingsLate > 0 && ` · ${one.readingsLate} late readings`}
              </th>
              {one.neverWas ? (
                <td colSpan={4} className="py-1">
                  It was no violation
                </td>
              ) : (
                <>
                  <td className="py-1 pr-3">
                    {one.isSinceBefore && 'before '}
                    <Time at={one.since} />
                  </td>
                  <td className="py-1 pr-3">
                    <Time at={one.openedAt} />
                  </td>
                  <td className="py-1 pr-3">
                    {one.clearedAt === null ? 'not yet' : <Time at={one.clearedAt} />}
                  </td>
                  <td className="py-1">{one.worst === null ? '' : valueWords(type, one.worst)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
