import type { Clock } from '#machines/contracts/clock.ts'
import { hasFiles } from '#machines/projections/reports.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { fileNameOf, type ReportFiles } from '../../store/report-files.ts'

type Deps = { readModels: Pick<ReadModels, 'directory'>; clock: Clock; files: ReportFiles }

/** Where made reports are fetched, on any node. */
export type ReportFileFinder = {
  /** number `n` of a report's files, counted from 0; undefined: there is none, or none any more */
  file(reportId: string, n: number): Promise<Uint8Array | undefined>
}

export function createReportFileFinder({ readModels, clock, files }: Deps): ReportFileFinder {
  const { reports } = readModels.directory
  return {
    async file(reportId, n) {
      const report = reports.get(reportId)
      if (report === undefined || !hasFiles(report, clock.now())) return undefined
      return files.get(fileNameOf(reportId, n))
    },
  }
}
