import { Download, RotateCcw, ShieldCheck, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { formatBytes } from '../../format/numbers.ts'
import { writtenTime } from '../../format/time.ts'
import { PastLink } from '../../layout/past/past-time.tsx'
import { Button } from '../../ui/button.tsx'
import { iconButtonLook } from '../../ui/button-look.ts'
import { Progress } from '../../ui/progress.tsx'
import { Time } from '../../ui/time.tsx'
import { filesOf, type LogState, selectionWords, stateOf, versionWords } from './log-words.ts'

/** The columns where there is room for them; below that a line is a card. */
export const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(7.5rem,5fr)_repeat(3,6.5rem)_minmax(9rem,4fr)_minmax(9rem,3fr)] wall:grid-cols-[minmax(7.5rem,3fr)_repeat(3,10rem)_minmax(9rem,5fr)_minmax(8.5rem,3fr)] desk:items-center desk:gap-3'

/** What can be done to a report from its line; `version`: have the next one made. */
export type ReportAct = 'retry' | 'cancel' | 'version'
/** What a button does, and whether it is being done. */
type Does = (act: ReportAct) => { isPending: boolean; onPress: () => void }
type LogRowProps = { entry: ReportLogEntry; does: Does }

/** The cells of one line of the log. */
export function LogRow({ entry, does }: LogRowProps) {
  const state = stateOf(entry)
  const version = versionWords(entry)
  return (
    <>
      <td className="min-w-0">
        <div className="font-medium">{entry.reportType}</div>
        {version !== undefined && <div className="tabular text-dense text-ink-soft">{version}</div>}
        <Whose entry={entry} />
      </td>
      <Instant label="From" at={entry.dateFrom} />
      <Instant label="To" at={entry.dateTo} />
      <Instant label="Requested At" at={entry.createdAt} />
      <td className="min-w-0">
        <Status state={state} name={entry.reportType} does={does} />
      </td>
      <td className="min-w-0">
        <DownloadLinks entry={entry} />
      </td>
    </>
  )
}

/** What was chosen, and who asked; what there is no room for is in the tooltip. */
function Whose({ entry }: { entry: ReportLogEntry }) {
  const { requestedBy } = entry
  const chosen = selectionWords(entry)
  const by = requestedBy && `by ${requestedBy}`
  const parts = (...texts: (string | undefined)[]) => texts.filter(Boolean).join(', ')
  return (
    <div className="truncate text-dense text-ink-faint" title={parts(chosen?.whole, by)}>
      {parts(chosen?.short, by)}
    </div>
  )
}

/** An instant, which on a card says what it is. */
function Instant({ label, at }: { label: string; at: string }) {
  return (
    <td className="tabular text-dense text-ink-soft">
      <span className="inline-block w-24 text-ink-faint desk:hidden">{label}</span>
      <PastLink at={at}>
        <Time at={at}>
          {writtenTime(at)
            .split(' ')
            .map((part) => (
              <span key={part} className="mr-1 inline-block whitespace-nowrap">
                {part}{' '}
              </span>
            ))}
        </Time>
      </PastLink>
    </td>
  )
}

type StatusProps<W extends LogState['word'] = LogState['word']> = {
  state: Extract<LogState, { word: W }>
  name: string
  does: Does
}

function Status({ state, name, does }: StatusProps) {
  switch (state.word) {
    case 'Completed':
      return <Completed state={state} name={name} does={does} />
    case 'Pending':
      return <Pending state={state} name={name} does={does} />
    case 'Failed':
      return <Failed state={state} name={name} does={does} />
    case 'Cancelled':
      return <span className="text-ink-soft">Cancelled{state.by && ` by ${state.by}`}</span>
  }
}

/** That a report is made; what it lacks; and where readings came later, how many, and the button of the version that holds them. */
function Completed({ state: { gone, later, damaged }, name, does }: StatusProps<'Completed'>) {
  return (
    <Lines note={gone}>
      <span className="text-ink-soft">Completed</span>
      {damaged && <p className="text-dense text-error">{damaged}</p>}
      {later && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-dense">
          <span className="tabular text-caution">{later.came}</span>
          <Button
            kind="plain"
            className="print:hidden"
            aria-label={`Make version ${later.nextVersion} of ${name}`}
            {...does('version')}
          >
            Make version {later.nextVersion}
          </Button>
        </p>
      )}
    </Lines>
  )
}

function Failed({ state, name, does }: StatusProps<'Failed'>) {
  return (
    <Lines note={state.reason}>
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="inline-flex items-center gap-1.5 font-medium text-error">
          <TriangleAlert size={14} aria-hidden />
          Failed
        </span>
        <Button kind="quiet" className="px-2 print:hidden" aria-label={`Retry ${name}`} {...does('retry')}>
          <RotateCcw size={16} aria-hidden />
          Retry
        </Button>
      </span>
    </Lines>
  )
}

function Pending({ state: { waits, progress }, name, does }: StatusProps<'Pending'>) {
  const percent = progress === undefined ? undefined : Math.floor(progress * 100)
  return (
    <Lines note={waits}>
      <span className="flex max-w-60 flex-wrap items-center gap-x-2">
        Pending
        {percent !== undefined && <span className="tabular text-dense text-ink-soft">{percent} %</span>}
        <Button
          kind="quiet"
          className="-my-1 px-2 print:hidden"
          aria-label={`Cancel ${name}`}
          {...does('cancel')}
        >
          <X size={16} aria-hidden />
          Cancel
        </Button>
      </span>
      {percent !== undefined && (
        <Progress aria-label={`Progress of ${name}`} value={percent} barClassName="mt-1 h-1 max-w-60" />
      )}
    </Lines>
  )
}

function Lines({ children, note }: { children: ReactNode; note: string | undefined }) {
  return (
    <div className="min-w-0">
      {children}
      {note && <p className="text-dense text-ink-faint">{note}</p>}
    </div>
  )
}

function DownloadLinks({ entry }: { entry: ReportLogEntry }) {
  const files = filesOf(entry)
  if (files.length === 0)
    return (
      <span className="text-ink-faint max-desk:text-dense">
        <span className="inline-block w-24 desk:hidden">Download Link</span>N/A
      </span>
    )
  return (
    <ul className="flex flex-wrap gap-x-2 desk:flex-col">
      {files.map(({ url, sealedUrl, fileName, ending, size }) => (
        <li key={url} className="flex min-w-0 items-center">
          <a
            href={url}
            download={fileName}
            title={size === undefined ? fileName : `${fileName}, ${formatBytes(size)}`}
            aria-label={`Download ${ending} ${fileName}`.replace('  ', ' ')}
            className="-ml-2 inline-flex h-control items-center gap-2 rounded-small px-2 font-medium text-link hover:bg-hover"
          >
            <Download size={16} aria-hidden className="shrink-0" />
            <span className="whitespace-nowrap">Download {ending}</span>
            {size !== undefined && (
              <span className="tabular hidden font-normal text-dense text-ink-faint wall:inline">
                {formatBytes(size)}
              </span>
            )}
          </a>
          {sealedUrl !== undefined && (
            <a
              href={sealedUrl}
              download={`${fileName}.zip`}
              title="With its seal, as a ZIP: shows that it was not changed (Verify)"
              aria-label={`Download ${fileName} with its seal`}
              className={iconButtonLook('text-link')}
            >
              <ShieldCheck size={16} aria-hidden />
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
