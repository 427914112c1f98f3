import { FileText, ShieldCheck } from 'lucide-react'
import { Link } from 'wouter'
import { useCancelReport, useMakeVersion, useReportLog, useRetryReport } from '../../actors/report-log.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { LogTable } from './log-table.tsx'
import { summaryOf } from './log-words.ts'

/** `/download/reports`: what was asked for, how far it is, and the files. */
export default function ReportLog() {
  const { entries, hasMore, isLoadingMore, loadMore, failure, ask } = useReportLog()
  const actions = { retry: useRetryReport(ask), cancel: useCancelReport(ask), version: useMakeVersion(ask) }
  return (
    <Page
      title="Report Logs"
      description={entries && entries.length > 0 ? summaryOf(entries, hasMore) : undefined}
      actions={
        <div className="flex gap-2 print:hidden">
          <Link href="/verify" className={buttonLook('quiet')}>
            <ShieldCheck size={16} aria-hidden />
            Verify
          </Link>
          <Link href="/reports" className={buttonLook('plain')}>
            <FileText size={16} aria-hidden />
            Reports
          </Link>
        </div>
      }
    >
      <PrintHead />
      <Panel className="flex flex-1 flex-col">
        <KeptList
          what="The report log"
          itself="The log"
          isThere={entries !== undefined}
          failure={failure}
          onRetry={ask}
        >
          {() =>
            entries === undefined || entries.length === 0 ? (
              <EmptyState
                title="No data Found"
                icon={<FileText size={22} aria-hidden />}
                action={
                  <Link href="/reports" className={buttonLook('primary')}>
                    Choose a report
                  </Link>
                }
              >
                Reports that are asked for appear here at once, with how far they are and a link to the file.
              </EmptyState>
            ) : (
              <>
                <LogTable entries={entries} {...actions} />
                {hasMore && <LoadMore isLoading={isLoadingMore} onPress={loadMore} />}
              </>
            )
          }
        </KeptList>
      </Panel>
    </Page>
  )
}
