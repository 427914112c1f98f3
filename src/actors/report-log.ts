import { useCallback, useEffect, useMemo, useState } from 'react'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { failureOf } from './use-answer.ts'
import { useChanges } from './use-changes.ts'
import { type KeptAnswer, useKeptAnswer } from './use-kept-answer.ts'
import { useRoot, useSignedIn } from './use-root.ts'

/** Links in the log run out after some hours of the house's clock: they are asked for anew long before. */
const RENEW_LINKS_MS = 3_600_000
const LOOK_EVERY_MS = 20_000

/** The report log, newest first, as live as the server's word that something in it is another now. */
export function useReportLog(): Omit<KeptAnswer<unknown>, 'answer'> & {
  entries: readonly ReportLogEntry[] | undefined
} {
  const { clock } = useRoot()
  const { user } = useSignedIn()
  const { answer, failure, ask } = useKeptAnswer(REPORT_CALLS.reportLog, {
    params: { companyId: user.companyId },
  })
  useChanges('reports', ask)
  useEffect(() => {
    if (answer === undefined) return
    const answeredAt = clock.now()
    const timer = setInterval(() => clock.now() - answeredAt > RENEW_LINKS_MS && ask(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [clock, answer, ask])
  const entries = useMemo(() => answer?.toSorted((a, b) => newerFirst(a, b)), [answer])
  return { entries, failure, ask }
}

const newerFirst = (a: ReportLogEntry, b: ReportLogEntry): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt)

/** Has failed reports made again, each once at a time, and says what came of it. */
export function useRetryReport(onAsked: () => void): {
  retrying: ReadonlySet<string>
  retry: (id: string) => void
} {
  const { http, toasts } = useRoot()
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set())
  const retry = useCallback(
    async (id: string) => {
      setRetrying((ids) => new Set(ids).add(id))
      try {
        await http.ask(REPORT_CALLS.retryReport, { params: { id } }, { isBackground: true })
        onAsked()
      } catch (error) {
        toasts.error(`The report is not made again: ${failureOf(error).message}`)
      }
      setRetrying((ids) => new Set([...ids].filter((each) => each !== id)))
    },
    [http, toasts, onAsked],
  )
  return { retrying, retry: (id) => void retry(id) }
}
