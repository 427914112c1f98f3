import { Download, X } from 'lucide-react'
import { counted } from '#machines/rules/figures.ts'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'

export type FileMakingProps = {
  total: number
  /** these rows give way to others */
  isDisabled?: boolean
  isMaking: boolean
  /** rows in the file so far */
  written: number
  /** why it could not be made */
  error: string | null
  onDownload: () => void
  onCancel: () => void
}

/** Download; while the file is made, how far it is, and Cancel. */
export function FileMaking(props: FileMakingProps) {
  const { total, isDisabled = false, isMaking, written, error, onDownload, onCancel } = props
  if (isMaking) {
    const rows = `${formatCount(written)} of ${counted(total, 'row')}`
    return (
      <div className="flex items-center gap-2">
        <Progress
          aria-label="Making the file"
          value={written}
          max={total}
          valueLabel={rows}
          className="flex items-center gap-2"
          barClassName="h-1.5 w-16 tablet:w-32"
        >
          {(percent) => (
            <span className="tabular text-dense text-ink-soft max-tablet:hidden">
              {percent < 100 ? rows : 'Closing the file'}
            </span>
          )}
        </Progress>
        <Button kind="quiet" onPress={onCancel}>
          <X size={16} aria-hidden />
          Cancel
        </Button>
      </div>
    )
  }
  return (
    <div className="flex min-w-0 items-center gap-2">
      {error !== null && (
        <p role="alert" className="min-w-0 text-dense text-error">
          {`The file could not be made: ${error}`}
        </p>
      )}
      <Button kind="quiet" isDisabled={isDisabled} onPress={onDownload}>
        <Download size={16} aria-hidden />
        {error === null ? 'Download' : 'Try again'}
      </Button>
    </div>
  )
}
