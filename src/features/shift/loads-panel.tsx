import { Link } from 'wouter'
import type { ShiftLoad } from '#machines/contracts/entities/shift.ts'
import { ACTION_WORDS } from '../../format/load-words.ts'
import { LoadBadge } from '../../layout/loads/load-badge.tsx'
import { timeOf } from '../../layout/measured/spell-words.ts'
import { Time } from '../../ui/time.tsx'
import { CountedPanel } from './counted-panel.tsx'

type LoadsPanelProps = {
  loads: readonly ShiftLoad[]
  count: number
  /** what is summed up ends there, epoch ms: a time of another day is written with its date */
  until: number
}

/** Loads at risk, exhausted or decided about, the worst first; each leads to its story. */
export function LoadsPanel({ loads, count, until }: LoadsPanelProps) {
  return (
    <CountedPanel title="Loads" rows={loads} count={count} empty="No load is at risk.">
      {(rows) => (
        <ul aria-label="Loads" className="flex flex-col">
          {rows.map(({ loadId, reference, deviceName, state, words, news }) => (
            <li key={loadId} className="flex flex-col gap-1 border-line border-t px-4 py-2 first:border-t-0">
              <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
                <Link
                  href={`/loads/${loadId}`}
                  className="min-w-0 flex-1 truncate font-medium text-link hover:underline"
                >
                  {reference}
                </Link>
                <LoadBadge state={state} />
              </span>
              <span className="tabular text-dense text-ink-soft">{`${deviceName} · ${words}`}</span>
              {news.map(({ at, action, userName, text }) => (
                <span key={`${at} ${action}`} className="tabular flex gap-3 break-words text-dense">
                  <Time at={at} className="shrink-0 text-ink-soft">
                    {timeOf(Date.parse(at), until)}
                  </Time>
                  <span className="min-w-0">
                    {userName !== null && <span className="font-medium">{`${userName} `}</span>}
                    {ACTION_WORDS[action]}
                    {text !== '' && `: ${text}`}
                  </span>
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </CountedPanel>
  )
}
