import { Download, FileUp } from 'lucide-react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { Link } from 'wouter'
import { type LoadListResult, useLoadList } from '../../actors/load-list-file.ts'
import { formatCount } from '../../format/numbers.ts'
import { LineRemarks } from '../../layout/line-remarks.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'

type Sent = ReturnType<typeof useLoadList>

/** `/loads/import`: many loads opened by a list; none of them while a line is wrong, unless one says so. */
export default function ImportLoads() {
  const list = useLoadList()
  const { result, error } = list
  return (
    <Page
      title="Open Loads"
      description="Where a line is wrong, nothing is opened before you have seen it."
      actions={
        <Button onPress={list.saveTemplate}>
          <Download size={16} aria-hidden />
          Template
        </Button>
      }
    >
      <Panel className="p-5">
        {result === undefined ? <ChooseFile {...list} /> : <Came {...list} result={result} />}
        <p role="alert" className="min-h-7 pt-2 text-error">
          {error}
        </p>
      </Panel>
      {result !== undefined && result.faults.length > 0 && <Faults of={result} />}
    </Page>
  )
}

function ChooseFile({ begin, isSending }: Sent) {
  return (
    <DropZone
      aria-label="Drop a list of loads here"
      isDisabled={isSending}
      getDropOperation={() => 'copy'}
      onDrop={async ({ items }) => {
        const dropped = items.find((item) => item.kind === 'file')
        if (dropped?.kind === 'file') begin(await dropped.getFile())
      }}
      className="flex flex-col items-start gap-3 rounded-panel border border-edge border-dashed p-6 data-drop-target:border-accent data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-focus"
    >
      <FileTrigger
        acceptedFileTypes={['.csv', 'text/csv']}
        onSelect={(files) => {
          const [file] = files ?? []
          if (file) begin(file)
        }}
      >
        <Button kind="primary" isDisabled={isSending} isPending={isSending}>
          <FileUp size={16} aria-hidden />
          {isSending ? 'Sending…' : 'Choose File'}
        </Button>
      </FileTrigger>
      <Text slot="label" className="text-ink-soft">
        or drop one here: CSV, at most 10,000 lines. The first line names the columns: IMEI and Reference, and
        if you like Profile (by its name; the device’s where left empty) and Since (2026-11-25T08:00:00Z; now
        where left empty).
      </Text>
    </DropZone>
  )
}

function Came({ file, result, again, openGoodLines, isSending }: Sent & { result: LoadListResult }) {
  const { opened, lines, faulty } = result
  const good = lines - faulty
  const isHeld = faulty > 0 && opened === 0
  return (
    <div className="flex flex-col gap-4">
      <h2 className="truncate font-semibold" title={file?.name}>
        {file?.name}
      </h2>
      <p role="status">
        {isHeld
          ? `${counted(lines, 'line')} read, ${formatCount(faulty)} of them cannot be taken: nothing was opened yet.`
          : `${counted(opened, 'load')} opened${faulty > 0 ? `, ${counted(faulty, 'line')} not taken` : ''}.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onPress={again} isDisabled={isSending}>
          Choose another file
        </Button>
        {isHeld && good > 0 && (
          <Button kind="primary" onPress={openGoodLines} isPending={isSending} isDisabled={isSending}>
            {`Open the ${formatCount(good)} good ones only`}
          </Button>
        )}
        {!isHeld && (
          <Link href="/loads?sort=opened" className={buttonLook('primary')}>
            Show loads
          </Link>
        )}
      </div>
    </div>
  )
}

const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

function Faults({ of: { faults, faulty } }: { of: LoadListResult }) {
  return (
    <Panel title={`Lines that cannot be taken: ${formatCount(faulty)}`}>
      <LineRemarks label="Lines that cannot be taken" remarks={faults} />
      {faults.length < faulty && (
        <p className="border-line border-t px-4 py-2 text-dense text-ink-soft">
          {`The first ${formatCount(faults.length)} are shown.`}
        </p>
      )}
    </Panel>
  )
}
