import { useEffect, useRef, useState } from 'react'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { fetchFile } from '../effects/download.ts'
import { useReportLog } from './report-log.ts'
import { useActing } from './use-acting.ts'
import { useRoot, useSignedIn } from './use-root.ts'

/** A device's page as a PDF, made by the server as its reports are: asked for in one press, it comes by itself. */
export function useProofFile(imei: string) {
  const { http } = useRoot()
  const { user } = useSignedIn()
  const { isActing, act } = useActing()
  const [wanted, setWanted] = useState<string>()
  return {
    /** the report that is awaited */
    wanted,
    isAsking: isActing,
    ask: ({ from, to }: Range) =>
      act(async () => {
        const { groupId, companyId } = user
        const span = { startDate: Math.round(from), endDate: Math.round(to) }
        const body = { reportType: 'proofReport', things: [imei], groups: [], ...span }
        const { _id } = await http.ask(REPORT_CALLS.requestReport, { params: { groupId, companyId }, body })
        setWanted(_id)
      }),
    /** it has come, or never will */
    settle: () => setWanted(undefined),
  }
}

/**
 * Follows a report until its file is there, and hands it over; `onSettled` with why it failed, null: it is there, and where it
 * is with its seal.
 */
export function useAwaitedFile(
  reportId: string,
  onSettled: (reason: string | null, sealedUrl?: string) => void,
): void {
  const { toasts } = useRoot()
  const { entries, hasMore, isLoadingMore, failure, loadMore } = useReportLog()
  const entry = entries?.find(({ _id }) => _id === reportId)
  const [isSettled, setSettled] = useState(false)
  const isListed = useRef(false)
  useEffect(() => {
    if (isSettled) return
    if (entry === undefined) {
      // newer ones came before it
      if (isListed.current && hasMore && !isLoadingMore && failure === null) loadMore()
      return
    }
    isListed.current = true
    if (entry.status === 'failed' || entry.status === 'cancelled') {
      setSettled(true)
      onSettled(
        entry.cancelledBy === undefined
          ? (entry.reason ?? 'It could not be made')
          : `It was cancelled by ${entry.cancelledBy}`,
      )
    } else if (entry.isCompleted && entry.url !== null) {
      setSettled(true)
      fetchFile(entry.url)
      toasts.success('PDF downloaded')
      onSettled(null, entry.files?.[0]?.sealedUrl)
    }
  }, [entry, isSettled, onSettled, toasts, hasMore, isLoadingMore, failure, loadMore])
}
