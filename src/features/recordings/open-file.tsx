import { FileUp } from 'lucide-react'
import { DropZone } from 'react-aria-components/DropZone'
import { ChooseFile } from './choose-file.tsx'
import { RecordHere } from './record-here.tsx'

type Props = {
  name: string
  failure: string | null
  isOpening: boolean
  onChoose: (file: File) => void
}

/** Nothing is open yet: a file is dropped or chosen, or one is made. */
export function OpenFile({ name, failure, isOpening, onChoose }: Props) {
  return (
    <div className="mx-auto flex w-full max-w-180 flex-1 flex-col justify-center gap-6 py-6">
      <DropZone
        aria-label="Drop a recording here"
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const dropped = items.find((item) => item.kind === 'file')
          if (dropped?.kind === 'file') onChoose(await dropped.getFile())
        }}
        className="flex flex-col items-center gap-3 rounded-panel border border-edge border-dashed bg-surface px-6 py-10 text-center data-drop-target:border-accent data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-focus"
      >
        <div className="flex size-12 items-center justify-center rounded-full bg-hover text-ink-faint">
          <FileUp size={22} aria-hidden />
        </div>
        <h2 className="font-semibold text-body">Open a recording</h2>
        <p className="max-w-100 text-ink-soft">
          Drop a file here whose name begins with <span className="font-medium">frostline-recording</span>. It
          stays in this browser.
        </p>
        <ChooseFile kind="primary" isDisabled={isOpening} onChoose={onChoose}>
          {isOpening ? 'Reading…' : 'Choose File'}
        </ChooseFile>
        {failure !== null && !isOpening && (
          <p role="alert" className="max-w-120 break-words text-error">
            {name} cannot be played. {failure}
          </p>
        )}
      </DropZone>
      <RecordHere />
    </div>
  )
}
