import type { ReportRequest } from '../../actors/report-request.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The 'Report Request' window: it is taken, and where it will be. */
export function RequestDialog({
  request: { isSent, close, view },
}: {
  request: Pick<ReportRequest, 'isSent' | 'close' | 'view'>
}) {
  return (
    <Dialog
      title="Report Request"
      isOpen={isSent}
      onOpenChange={(isOpen) => !isOpen && close()}
      closesBeside={false}
      actions={
        <>
          <Button kind="quiet" onPress={close}>
            Cancel
          </Button>
          <Button kind="primary" autoFocus onPress={view}>
            View Reports
          </Button>
        </>
      }
    >
      <p className="text-ink-soft">Your report is being generated. Please check log section.</p>
    </Dialog>
  )
}
