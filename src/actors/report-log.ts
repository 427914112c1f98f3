import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { failureOf } from './failure-words.ts'
import { useChanges } from './use-changes.ts'
import { useRoot, useSignedIn } from './use-root.ts'
import { type Rows, useRows } from './use-rows.ts'

/** Links in the log run out after some hours of the server's clock: they are asked for anew long before. */
const RENEW_LINKS_MS = 3_600_000
/** A clock that leaps leaves none of them to be pressed. */
const LOOK_EVERY_MS = 1000
/** A server that is away, or slow, is not asked at each of them. */
const LOOKS_A_TRY = 20
/** A report that is being made changes many times a second: the log is not fetched that often. */
const PACE_MS = 1000

/** The report log, newest first, as far as it is wanted; as live as the server's word that something in it is another now. */
export function useReportLog(): Omit<Rows<unknown>, 'rows'> & {
  entries: readonly ReportLogEntry[] | undefined
} {
  const { clock, http } = useRoot()
  const { companyId } = useSignedIn().user
  const { rows, ask, ...listed } = useRows((query, options) =>
    http.ask(REPORT_CALLS.reportLog, { params: { companyId }, query }, options),
  )
  useChanges(['reports'], usePaced(ask, PACE_MS))
  useEffect(() => {
    if (rows === undefined) return
    const answeredAt = clock.now()
    let looks = 0
    const timer = setInterval(() => {
      if (clock.now() - answeredAt > RENEW_LINKS_MS && looks++ % LOOKS_A_TRY === 0) ask()
    }, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [clock, rows, ask])
  const entries = useMemo(() => rows?.toSorted(newerFirst), [rows])
  return { ...listed, entries, ask }
}

const newerFirst = (a: ReportLogEntry, b: ReportLogEntry): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt)

/** The same call, made at once and then no more often than this; the last word is never lost. */
function usePaced(call: () => void, everyMs: number): () => void {
  const last = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        last.current = performance.now()
        call()
      },
      Math.max(0, last.current + everyMs - performance.now()),
    )
  }, [call, everyMs])
}

export type ActionsOnReports = {
  /** ids of those that are being asked for */
  pending: ReadonlySet<string>
  act: (id: string) => void
}

/** Has failed reports made again, each once at a time, and says what came of it. */
export const useRetryReport = (onRequested: () => void): ActionsOnReports =>
  useReportCall(REPORT_CALLS.retryReport, 'The report is not made again', onRequested)

/** Has reports cancelled that wait or are being made, each once at a time, and says what came of it. */
export const useCancelReport = (onRequested: () => void): ActionsOnReports =>
  useReportCall(REPORT_CALLS.cancelReport, 'The report is not cancelled', onRequested)

/** Has the next version of reports made, each once at a time, and says what came of it. */
export const useMakeVersion = (onRequested: () => void): ActionsOnReports =>
  useReportCall(REPORT_CALLS.makeReportVersion, 'The new version is not made', onRequested)

function useReportCall(
  call: (typeof REPORT_CALLS)['retryReport' | 'cancelReport' | 'makeReportVersion'],
  refusal: string,
  onRequested: () => void,
): ActionsOnReports {
  const { http, toasts } = useRoot()
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set())
  const act = useCallback(
    async (id: string) => {
      setPending((ids) => new Set(ids).add(id))
      try {
        await http.ask(call, { params: { id } })
        onRequested()
      } catch (error) {
        toasts.error(`${refusal}: ${failureOf(error).message}`)
      }
      setPending((ids) => new Set([...ids].filter((each) => each !== id)))
    },
    [http, toasts, onRequested, call, refusal],
  )
  return { pending, act: (id) => void act(id) }
}
