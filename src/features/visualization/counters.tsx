import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ViolationChart } from '#machines/contracts/entities/violations.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { formatCount } from '../../format/numbers.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { KINDS } from './kinds.ts'
import { SEGMENT_LOOK } from './segment-look.ts'

export type KindCountersProps = {
  /** undefined while they are on their way */
  counts: ViolationChart['counts'] | undefined
  /** of when, where they are of all the visitor sees: each leads to the notifications of its kind then */
  range: DateRange | null
}

/** How many violations there were of each kind, and in all. */
export function KindCounters({ counts, range }: KindCountersProps) {
  return (
    <ul
      aria-label="Violations by kind"
      className="grid grid-cols-2 gap-2 tablet:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))]"
    >
      {KINDS.map(({ type, word, glyph }) => (
        <li key={type}>
          <Leading range={range} types={[type]}>
            <span className="flex items-center">
              <Count value={counts?.[type]} />
              <span aria-hidden className={`ml-auto h-4 w-5 shrink-0 rounded-[2px] ${SEGMENT_LOOK[glyph]}`} />
            </span>
            <span className="flex items-center gap-1.5 text-dense text-ink-soft">
              <StateGlyph state={glyph} size={11} isDecorative />
              <span className="min-w-0 [overflow-wrap:anywhere]">{word}</span>
            </span>
          </Leading>
        </li>
      ))}
      <li className="max-tablet:col-span-2">
        <Leading range={range} types={KINDS.map(({ type }) => type)}>
          <Count value={counts?.total} />
          <span className="text-dense text-ink-soft">Total</span>
        </Leading>
      </li>
    </ul>
  )
}

type LeadingProps = Pick<KindCountersProps, 'range'> & { types: ViolationType[]; children: ReactNode }

function Leading({ range, types, children }: LeadingProps) {
  if (range === null) return <div className={counter}>{children}</div>
  return (
    <Link href={notificationsAddress({ range, types })} className={counter}>
      {children}
    </Link>
  )
}

/** A figure that matters with its word. */
export function Counter({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={counter}>
      {children}
      <span className="text-dense text-ink-soft">{label}</span>
    </div>
  )
}

export function Count({ value }: { value: number | undefined }) {
  return value === undefined ? (
    <Skeleton className="my-1.5 h-6 w-14" />
  ) : (
    <span className="tabular font-semibold text-figure">{formatCount(value)}</span>
  )
}

const counter =
  'flex h-full flex-col rounded-panel bg-surface px-3 py-2 shadow-soft -outline-offset-2 [a&]:hover:bg-hover'
