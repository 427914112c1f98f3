import { createHash } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import { hasFiles } from '#machines/projections/reports.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { fileNameOf, type ReportFiles } from '../../store/report-files.ts'

type Deps = {
  readModels: Pick<ReadModels, 'directory'>
  clock: Clock
  files: Pick<ReportFiles, 'get'>
  /** for operators: a file that should be there is missing or damaged */
  warn(message: string): void
}

/** Where made reports are fetched, on any node. */
export type ReportFileFinder = {
  /**
   * Number `n` of a report's files, counted from 0, as it was made; undefined: there is none, none any more, or what is kept is
   * not what was made.
   */
  file(reportId: string, n: number): Promise<Uint8Array | undefined>
}

export function createReportFileFinder({ readModels, clock, files, warn }: Deps): ReportFileFinder {
  const { reports } = readModels.directory
  return {
    async file(reportId, n) {
      const report = reports.get(reportId)
      const made = report?.files[n]
      if (report === undefined || made === undefined || !hasFiles(report, clock.now())) return undefined
      const name = fileNameOf(reportId, n)
      const bytes = await files.get(name)
      if (bytes !== undefined && digestOf(bytes) === made.sha256) return bytes
      const what = bytes === undefined ? 'is missing' : `is damaged: ${bytes.length} of ${made.bytes} bytes`
      warn(`report file ${name} ("${made.fileName}") ${what}; requested again, the report is made anew`)
      return undefined
    },
  }
}

/** SHA-256 in hex, as the record says it of each file. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
