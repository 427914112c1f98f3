import { Download, X } from 'lucide-react'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'

export type FileMakingProps = {
  total: number
  isMaking: boolean
  /** rows in the file so far */
  written: number
  /** why it could not be made */
  error: string | null
  onDownload: () => void
  onCancel: () => void
}

/** Download; while the file is made, how far it is, and Cancel. */
export function FileMaking({ total, isMaking, written, error, onDownload, onCancel }: FileMakingProps) {
  if (isMaking)
    return (
      <div className="flex items-center gap-2">
        <ProgressBar
          aria-label="Making the file"
          value={written}
          maxValue={Math.max(1, total)}
          valueLabel={`${formatCount(written)} of ${formatCount(total)} rows`}
          className="flex items-center gap-2"
        >
          {({ percentage = 0, valueText }) => (
            <>
              <span className="tabular text-dense text-ink-soft max-tablet:hidden">
                {percentage < 100 ? valueText : 'Closing the file'}
              </span>
              <span className="h-1.5 w-16 overflow-hidden rounded-full bg-hover tablet:w-32">
                <span className="block h-full bg-accent" style={{ width: `${percentage}%` }} />
              </span>
            </>
          )}
        </ProgressBar>
        <Button kind="quiet" onPress={onCancel}>
          <X size={16} aria-hidden />
          Cancel
        </Button>
      </div>
    )
  return (
    <div className="flex min-w-0 items-center gap-2">
      {error !== null && (
        <p role="alert" className="min-w-0 truncate text-dense text-error">
          {`The file could not be made: ${error}`}
        </p>
      )}
      <Button kind="quiet" onPress={onDownload}>
        <Download size={16} aria-hidden />
        {error === null ? 'Download' : 'Try again'}
      </Button>
    </div>
  )
}
