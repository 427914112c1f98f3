import type { ReactNode } from 'react'
import type { CaseEvent, CaseVersion } from '#machines/contracts/entities/violation-case.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { CASE_EVENT_WORDS } from '#machines/rules/case-words.ts'
import { counted } from '#machines/rules/figures.ts'
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

type CaseVersionsProps = { versions: readonly CaseVersion[]; type: ViolationType }

/** What was known of a violation, as told at first and after each time that late readings showed it otherwise. */
export function CaseVersions({ versions, type }: CaseVersionsProps) {
  return (
    <ol aria-label="Versions" className="tabular flex flex-col divide-y divide-line px-4 text-dense">
      {versions.map((one) => (
        <li key={`${one.knownAt} ${one.since} ${one.clearedAt}`} className="flex flex-col gap-1 py-2">
          <p className="font-medium">
            {'Known from '}
            <Time at={one.knownAt} />
            {one.readingsLate > 0 && ` · ${counted(one.readingsLate, 'late reading')}`}
          </p>
          {one.neverWas ? (
            <p>It was no violation</p>
          ) : (
            <dl className="grid grid-cols-2 gap-x-3 gap-y-1 tablet:grid-cols-4">
              <Known what="Began">
                {one.isSinceBefore && 'before '}
                <Time at={one.since} />
              </Known>
              <Known what="Became one">
                <Time at={one.openedAt} />
              </Known>
              <Known what="Over">{one.clearedAt === null ? 'not yet' : <Time at={one.clearedAt} />}</Known>
              <Known what="Worst">{one.worst === null ? 'not known' : valueWords(type, one.worst)}</Known>
            </dl>
          )}
        </li>
      ))}
    </ol>
  )
}

function Known({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft">{what}</dt>
      <dd>{children}</dd>
    </div>
  )
}
