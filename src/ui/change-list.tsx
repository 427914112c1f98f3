import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Change, FieldChange } from '#machines/contracts/entities/changes.ts'
import { formatCount } from '../format/numbers.ts'
import { EmptyState } from './empty-state.tsx'
import { LoadMore } from './load-more.tsx'
import { RelativeTime } from './relative-time.tsx'

export type ChangeListProps = {
  changes: readonly Change[]
  /** how many there are in all */
  total: number
  isLoadingMore: boolean
  onLoadMore: () => void
  /** a field in words, e.g. 'Low temperature'; its own name where undefined */
  labelOf: (field: string) => string | undefined
  /** a value in words, e.g. with its unit; as it is where undefined */
  show: (field: string, value: NonNullable<FieldChange['before']>) => ReactNode
  /** what holds where a field has no value; 'nothing' where left out or undefined */
  withoutValue?: (field: string) => string | undefined
}

type EntryProps = { change: Change; subject?: ReactNode } & Pick<
  ChangeListProps,
  'labelOf' | 'show' | 'withoutValue'
>

/** What was changed, by whom and when, newest first: before → after of each field. */
export function ChangeList(props: ChangeListProps) {
  const { changes, total, isLoadingMore, onLoadMore } = props
  if (changes.length === 0)
    return (
      <EmptyState title="No data Found" icon={<History size={22} aria-hidden />}>
        Nobody has changed anything yet.
      </EmptyState>
    )
  return (
    <>
      <ol aria-label="Changes" className="flex flex-col">
        {changes.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: counted from the oldest, a change keeps its number for good
          <ChangeEntry key={total - index} change={change} {...props} />
        ))}
      </ol>
      {changes.length < total && <LoadMore isLoading={isLoadingMore} onPress={onLoadMore} />}
    </>
  )
}

/** One change: who, what (`subject`, «it» where left out), when, and before → after of each field. */
export function ChangeEntry({
  change: { at, by, action, changes, more },
  subject = 'it',
  ...words
}: EntryProps) {
  return (
    <li className="flex flex-col gap-1 border-line border-t px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{by?.name ?? 'Frostline'}</span>
        <span className="text-ink-soft">
          {action === 'created' ? 'created' : 'changed'} {subject}
        </span>
        <RelativeTime at={at} className="ml-auto text-dense text-ink-faint" />
      </div>
      {changes.length > 0 && (
        <dl className="grid grid-cols-[minmax(7.5rem,2fr)_5fr] gap-x-3 gap-y-0.5 text-dense">
          {changes.map((each, index) => (
            // One field may stand there more than once: each device that came is a line.
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a change are never reordered
            <Line key={index} change={each} isNew={action === 'created'} {...words} />
          ))}
        </dl>
      )}
      {more > 0 && <p className="text-dense text-ink-faint">{`and ${formatCount(more)} more`}</p>}
    </li>
  )
}

/** What a record has many of: one line for each that came or left. */
const BELONGING = new Set(['things', 'child', 'users'])

type LineProps = { change: FieldChange; isNew: boolean } & Omit<EntryProps, 'change'>

function Line({ change: { field, before, after }, isNew, labelOf, show, withoutValue }: LineProps) {
  const shown = (value: FieldChange['before']): ReactNode =>
    value === null || value === '' ? (
      <span className="text-ink-faint">{withoutValue?.(field) ?? 'nothing'}</span>
    ) : (
      show(field, value)
    )
  return (
    <>
      <dt className="text-ink-soft">{labelOf(field) ?? field}</dt>
      <dd className="tabular min-w-0 break-words">
        {BELONGING.has(field) ? (
          <>
            {shown(after ?? before)}
            {!isNew && <span className="text-ink-soft">{after === null ? ' left' : ' came'}</span>}
          </>
        ) : isNew ? (
          shown(after)
        ) : (
          <>
            <span className="text-ink-soft">{shown(before)}</span>
            <span className="sr-only">, now </span>
            <span aria-hidden className="px-1.5 text-ink-faint">
              →
            </span>
            {shown(after)}
          </>
        )}
      </dd>
    </>
  )
}
