import { createHash } from 'node:crypto'
import { setImmediate as breath } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import { hasFiles } from '#machines/projections/reports.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { fileNameOf, type ReportFiles } from '../../store/report-files.ts'
import { createSharedBytes } from './shared-bytes.ts'

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
   * not what was made. Those who ask for one at a time share its bytes.
   */
  file(reportId: string, n: number): Promise<Uint8Array | undefined>
}

export function createReportFileFinder({ readModels, clock, files, warn }: Deps): ReportFileFinder {
  const { reports } = readModels.directory
  const shared = createSharedBytes()
  return {
    async file(reportId, n) {
      const report = reports.get(reportId)
      const made = report?.files[n]
      if (report === undefined || made === undefined || !hasFiles(report, clock.now())) return undefined
      const name = fileNameOf(reportId, n)
      return shared(`${name} ${made.sha256}`, async () => {
        const bytes = await files.get(name)
        if (bytes !== undefined && (await digestInBreaths(bytes)) === made.sha256) return bytes
        const what = bytes === undefined ? 'is missing' : `is damaged: ${bytes.length} of ${made.bytes} bytes`
        warn(`report file ${name} ("${made.fileName}") ${what}; requested again, the report is made anew`)
        return undefined
      })
    },
  }
}

/** SHA-256 in hex, as the record says it of each file. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Of which a digest is made at once: a millisecond. */
const BYTES_A_BREATH = 1024 * 1024

async function digestInBreaths(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += BYTES_A_BREATH) {
    hash.update(bytes.subarray(at, at + BYTES_A_BREATH))
    await breath()
  }
  return hash.digest('hex')
}
