import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'

/** A line of the log for a test: a distance report that is there, by default. */
export function entryOf(id: string, more: Partial<ReportLogEntry> = {}): ReportLogEntry {
  return {
    _id: id,
    reportType: 'Distance Report',
    type: 'distanceReport',
    selection: { groups: [], groupCount: 0, devices: ['LES-1', 'LES-2'], deviceCount: 12 },
    dateFrom: '2026-06-13T19:00:00.000Z',
    dateTo: '2026-06-15T07:00:00.000Z',
    createdAt: '2026-06-15T07:00:00.000Z',
    isCompleted: true,
    url: `/api/reports/files/${id}?expires=1&signature=s`,
    status: 'completed',
    progress: 1,
    reason: null,
    requestedBy: 'Bilal Ahmed',
    fileName: `Distance Report ${id}.xlsx`,
    size: 12_345,
    ...more,
  }
}
