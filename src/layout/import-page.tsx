import { Download, FileUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'
import { RowTable } from '../ui/row-table.tsx'
import { Page, Panel } from './page.tsx'

type PageProps = { title: string; description: string; onTemplate: () => void; children: ReactNode }

/** A page on which a list is sent. `onTemplate` saves one to begin with. */
export function ImportPage({ title, description, onTemplate, children }: PageProps) {
  return (
    <Page
      title={title}
      description={description}
      actions={
        <Button onPress={onTemplate}>
          <Download size={16} aria-hidden />
          Template
        </Button>
      }
    >
      {children}
    </Page>
  )
}

/** Where the list is chosen and followed, and what went wrong on the way. */
export function ImportPanel({ error, children }: { error: string | null; children: ReactNode }) {
  return (
    <Panel className="p-5">
      {children}
      <p role="alert" className="min-h-7 pt-2 text-error">
        {error}
      </p>
    </Panel>
  )
}

type ChooseProps = {
  /** «devices» */
  of: string
  /** endings of its files */
  kinds: readonly string[]
  isSending: boolean
  onChoose: (file: File) => void
  /** what stands in such a list */
  children: ReactNode
}

/** A list is chosen by a press, or dropped. */
export function ChooseList({ of, kinds, isSending, onChoose, children }: ChooseProps) {
  return (
    <DropZone
      aria-label={`Drop a list of ${of} here`}
      isDisabled={isSending}
      getDropOperation={() => 'copy'}
      onDrop={async ({ items }) => {
        const dropped = items.find((item) => item.kind === 'file')
        if (dropped?.kind === 'file') onChoose(await dropped.getFile())
      }}
      className="flex flex-col items-start gap-3 rounded-panel border border-edge border-dashed p-6 data-drop-target:border-accent data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-focus"
    >
      <FileTrigger
        acceptedFileTypes={[...kinds, 'text/csv']}
        onSelect={(files) => {
          const [file] = files ?? []
          if (file) onChoose(file)
        }}
      >
        <Button kind="primary" isDisabled={isSending} isPending={isSending}>
          <FileUp size={16} aria-hidden />
          {isSending ? 'Sending…' : 'Choose File'}
        </Button>
      </FileTrigger>
      <Text slot="label" className="text-ink-soft">
        {children}
      </Text>
    </DropZone>
  )
}

/** What is said of a line of a list that was sent; `column`: of which of its columns, where that is known. */
type LineRemark = { line: number; imei: string; column?: string; reason: string }

type RemarksProps = {
  title: string
  remarks: readonly LineRemark[]
  /** how many there are, of which `remarks` are the first */
  total: number
  /** saves all of them */
  onSave?: () => void
}

/** What is said of lines of the list; nothing where there is nothing to say. */
export function ImportRemarks({ title, remarks, total, onSave }: RemarksProps) {
  if (total === 0) return null
  return (
    <Panel
      title={`${title}: ${formatCount(total)}`}
      actions={
        onSave && (
          <Button kind="quiet" onPress={onSave}>
            <Download size={16} aria-hidden />
            Download
          </Button>
        )
      }
    >
      <LineRemarks label={title} remarks={remarks} />
      {remarks.length < total && (
        <p className="border-line border-t px-4 py-2 text-dense text-ink-soft">
          {`The first ${formatCount(remarks.length)} are shown${onSave ? '; the download has all of them' : ''}.`}
        </p>
      )}
    </Panel>
  )
}

const COLUMNS = 'desk:grid desk:grid-cols-[6rem_13rem_1fr] desk:items-center desk:gap-3'

/** Lines of a list that was sent, and what is said of each. */
function LineRemarks({ label, remarks }: { label: string; remarks: readonly LineRemark[] }) {
  return (
    <RowTable
      label={label}
      heads={['LINE', 'IMEI', 'WHY']}
      columns={COLUMNS}
      rows={remarks}
      keyOf={({ line }) => String(line)}
      heights={{ line: 40, card: 72 }}
    >
      {({ line, imei, column, reason }) => (
        <>
          <td className="tabular font-medium">
            <span className="desk:hidden">Line </span>
            {line}
          </td>
          <td className="tabular truncate text-ink-soft max-desk:pl-2">{imei}</td>
          <td className="block">
            {column && <span className="font-medium">{`${column}: `}</span>}
            {reason}
          </td>
        </>
      )}
    </RowTable>
  )
}
