import { type ReportRecord, type Reports, waitingIn } from '#machines/projections/reports.ts'
import type { Cluster } from '../../cluster/cluster.ts'

/** How far the report that is being made has come, on whatever node. Not recorded: a lost message is not repeated. */
export type ReportProgress = {
  /** of one being made, 0 to 1 */
  of(reportId: string): number | undefined
  /** publishes how far one has come; undefined: none is being made */
  note(reportId: string | undefined, done?: number): void
  /** called when one being made has come on, and for each that waits when another's turn has come */
  onProgress(listener: (report: ReportRecord) => void): () => void
  /** receives nothing more */
  stop(): void
}

const SUBJECT = 'report-progress'

/** @param reports where reports that other nodes name are looked up */
export function createProgress(
  cluster: Pick<Cluster, 'publish' | 'onMessage'>,
  reports: Reports,
): ReportProgress {
  const listeners = new Set<(report: ReportRecord) => void>()
  let making: { reportId: string; done: number } | undefined

  function take(reportId: unknown, done: unknown): void {
    const report = typeof reportId === 'string' ? reports.get(reportId) : undefined
    making = undefined
    if (report === undefined || typeof done !== 'number' || !(done >= 0 && done <= 1)) return
    making = { reportId: report.reportId, done }
    const changed = done > 0 ? [report] : waitingIn(reports)
    for (const one of changed) for (const listener of listeners) listener(one)
  }
  const stop = cluster.onMessage(SUBJECT, (message) => {
    const [reportId, done] = Array.isArray(message) ? message : []
    take(reportId, done)
  })

  return {
    of: (reportId) => (making?.reportId === reportId ? making.done : undefined),
    note(reportId, done = 0) {
      take(reportId, done)
      cluster.publish(SUBJECT, [reportId ?? null, done])
    },
    onProgress(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop,
  }
}
