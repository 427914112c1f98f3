import { Download, RotateCcw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { exactTime, searchTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { endingOf, type LogState, sizeOf, stateOf } from './log-words.ts'

/** The columns where there is room for them; below that a line is a card. */
export const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(10rem,3fr)_9rem_9rem_9rem_minmax(11rem,3fr)_minmax(9rem,2fr)] desk:items-center desk:gap-4'

type LogRowProps = { entry: ReportLogEntry; isRetrying: boolean; onRetry: () => void }

/** The cells of one line of the log. */
export function LogRow({ entry, isRetrying, onRetry }: LogRowProps) {
  const state = stateOf(entry)
  return (
    <>
      <td className="min-w-0">
        <div className="truncate font-medium" title={entry.reportType}>
          {entry.reportType}
        </div>
        {entry.requestedBy && (
          <div className="truncate text-dense text-ink-faint" title={entry.requestedBy}>
            by {entry.requestedBy}
          </div>
        )}
      </td>
      <Instant label="From" at={entry.dateFrom} />
      <Instant label="To" at={entry.dateTo} />
      <Instant label="Requested At" at={entry.createdAt} />
      <td className="min-w-0">
        <Status state={state} name={entry.reportType} isRetrying={isRetrying} onRetry={onRetry} />
      </td>
      <td className="min-w-0">
        <DownloadLink entry={entry} />
      </td>
    </>
  )
}

/** An instant, which on a card says what it is. */
function Instant({ label, at }: { label: string; at: string }) {
  return (
    <td title={exactTime(Date.parse(at))} className="tabular whitespace-nowrap text-dense text-ink-soft">
      <span className="inline-block w-24 text-ink-faint desk:hidden">{label}</span>
      {searchTime(Date.parse(at))}
    </td>
  )
}

type StatusProps = { state: LogState; name: string; isRetrying: boolean; onRetry: () => void }

function Status({ state, name, isRetrying, onRetry }: StatusProps) {
  if (state.word === 'Completed')
    return (
      <Lines note={state.gone}>
        <span className="text-ink-soft">Completed</span>
      </Lines>
    )
  if (state.word === 'Pending') return <Pending state={state} name={name} />
  return (
    <div className="flex items-center gap-2">
      <Lines note={state.reason}>
        <span className="inline-flex items-center gap-1.5 font-medium text-hot">
          <TriangleAlert size={14} aria-hidden />
          Failed
        </span>
      </Lines>
      <Button
        kind="quiet"
        className="px-2"
        aria-label={`Retry ${name}`}
        isPending={isRetrying}
        onPress={onRetry}
      >
        <RotateCcw size={16} aria-hidden />
        Retry
      </Button>
    </div>
  )
}

function Pending({ state, name }: { state: Extract<LogState, { word: 'Pending' }>; name: string }) {
  const { isWaiting, progress } = state
  const percent = progress === undefined ? undefined : Math.floor(progress * 100)
  return (
    <Lines note={isWaiting ? 'waits for its turn' : undefined}>
      <span className="tabular flex max-w-60 items-baseline justify-between gap-2">
        <span>Pending</span>
        {percent !== undefined && <span className="text-dense text-ink-soft">{percent} %</span>}
      </span>
      {percent !== undefined && (
        <span
          role="progressbar"
          aria-label={`Progress of ${name}`}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
          className="mt-1 block h-1 max-w-60 overflow-hidden rounded-full bg-hover"
        >
          <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
        </span>
      )}
    </Lines>
  )
}

function Lines({ children, note }: { children: ReactNode; note: string | undefined }) {
  return (
    <div className="min-w-0 flex-1">
      {children}
      {note && (
        <p className="line-clamp-2 text-dense text-ink-faint" title={note}>
          {note}
        </p>
      )}
    </div>
  )
}

function DownloadLink({ entry: { url, fileName, size, reportType } }: { entry: ReportLogEntry }) {
  if (url === null)
    return (
      <span className="text-ink-faint">
        <span className="mr-1 desk:hidden">Download Link</span>N/A
      </span>
    )
  const about = [endingOf(fileName ?? ''), typeof size === 'number' ? sizeOf(size) : ''].filter(Boolean)
  return (
    <a
      href={url}
      download={fileName ?? ''}
      title={fileName ?? undefined}
      aria-label={`Download ${fileName ?? reportType}`}
      className={classNames(
        '-ml-2 inline-flex h-control max-w-full items-center gap-2 rounded-small px-2 font-medium text-accent-strong hover:bg-hover',
      )}
    >
      <Download size={16} aria-hidden className="shrink-0" />
      Download
      {about.length > 0 && (
        <span className="truncate font-normal text-dense text-ink-faint">{about.join(', ')}</span>
      )}
    </a>
  )
}
