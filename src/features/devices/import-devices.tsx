import { useId } from 'react'
import { Link } from 'wouter'
import type { DeviceImport } from '#machines/contracts/entities/device-records.ts'
import { counted } from '#machines/rules/figures.ts'
import { type DeviceImporting, useDeviceImport } from '../../actors/device-import.ts'
import { formatCount } from '../../format/numbers.ts'
import { ChooseList, ImportPage, ImportPanel, ImportRemarks } from '../../layout/import-page.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Progress } from '../../ui/progress.tsx'
import { ForWhoAdds } from './for-who-adds.tsx'

/** `/devices/import`: a list of devices is chosen, checked, and added when one says so. */
export default function ImportDevices() {
  const importing = useDeviceImport()
  const { job, error } = importing
  return (
    <ImportPage
      title="Import Devices"
      description="Nothing is added before you have seen what the list would do."
      onTemplate={importing.saveTemplate}
    >
      <ForWhoAdds>
        <ImportPanel error={error}>
          {job === undefined ? (
            <ChooseList
              of="devices"
              kinds={['.csv', '.xlsx']}
              isSending={importing.isSending}
              onChoose={importing.begin}
            >
              or drop one here: CSV or XLSX, at most 100,000 lines. The first line names the columns: IMEI and
              Name, and if you like Plate, Type (vehicle or warehouse), Make and model, Group (by its path,
              e.g. North / Depot), Calibration due (2027-03-31) and Tracker clock (UTC+05:00).
            </ChooseList>
          ) : (
            <ListOf {...importing} job={job} />
          )}
        </ImportPanel>
        {job?.state === 'checked' && (
          <>
            <ImportRemarks
              title="Lines that cannot be taken"
              remarks={importing.faults}
              total={job.faults}
              onSave={importing.saveFaults}
            />
            <ImportRemarks title="Lines to look at" remarks={importing.warnings} total={job.warnings} />
          </>
        )}
      </ForWhoAdds>
    </ImportPage>
  )
}

function ListOf(props: DeviceImporting & { job: DeviceImport }) {
  const { job, cancel, retry, again } = props
  const titleId = useId()
  const isUnderWay = job.state === 'reading' || job.state === 'adding'
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id={titleId} className="min-w-0 flex-1 basis-60 truncate font-semibold" title={job.fileName}>
          {job.fileName}
        </h2>
        {isUnderWay && <Button onPress={cancel}>Stop</Button>}
      </div>
      <p role="status">{wordsOf(job)}</p>
      {isUnderWay && (
        <Progress
          aria-labelledby={titleId}
          value={job.state === 'adding' ? job.added : undefined}
          max={job.toAdd}
        />
      )}
      {job.state === 'checked' && <Checked {...props} />}
      {!isUnderWay && job.state !== 'checked' && (
        <div className="flex flex-wrap gap-2">
          <Button onPress={again}>Choose another file</Button>
          {job.canRetry ? (
            <Button kind="primary" onPress={retry}>
              Try again
            </Button>
          ) : (
            <Link href="/devices" className={buttonLook('primary')}>
              Show devices
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

/** What the list would do, and the press that does it. */
function Checked({ job, apply, cancel, again }: DeviceImporting & { job: DeviceImport }) {
  const other = () => {
    cancel()
    again()
  }
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <Count label="to be added" count={job.toAdd} />
        <Count label={knownWords(job)} count={job.known} />
        <Count label="cannot be taken" count={job.faults} isBad />
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button onPress={other}>Choose another file</Button>
        {job.toAdd > 0 && (
          <Button kind="primary" onPress={() => apply(job.faults > 0)}>
            {job.faults > 0
              ? `Add the ${formatCount(job.toAdd)} good ones only`
              : `Add ${counted(job.toAdd, 'device')}`}
          </Button>
        )}
      </div>
    </>
  )
}

function Count({ label, count, isBad = false }: { label: string; count: number; isBad?: boolean }) {
  return (
    <>
      <dt className={`tabular text-right font-semibold ${isBad && count > 0 ? 'text-error' : ''}`}>
        {formatCount(count)}
      </dt>
      <dd className="text-ink-soft">{label}</dd>
    </>
  )
}

const knownWords = ({ differing }: DeviceImport): string =>
  differing === 0
    ? 'registered already'
    : `registered already, ${formatCount(differing)} of them with other values: those stay as they are`

const readWords = (lines: number): string => `${counted(lines, 'line')} ${lines === 1 ? 'was' : 'were'} read`

function wordsOf({ state, lines, added, toAdd, reason }: DeviceImport): string {
  switch (state) {
    case 'reading':
      return `Reading: ${counted(lines, 'line')} so far`
    case 'checked':
      return toAdd === 0 ? `${readWords(lines)}: there is nothing to add` : readWords(lines)
    case 'adding':
      return `Adding: ${formatCount(added)} of ${formatCount(toAdd)}`
    case 'done':
      return added < toAdd
        ? `${formatCount(added)} of ${formatCount(toAdd)} devices were added: the others are registered by now, or in groups you no longer see`
        : `${counted(added, 'device')} ${added === 1 ? 'was' : 'were'} added`
    case 'cancelled':
      return `Stopped: ${formatCount(added)} were added`
    case 'failed':
      return `${reason ?? 'The list could not be taken'}${added > 0 ? ` (${formatCount(added)} were added)` : ''}`
  }
}
