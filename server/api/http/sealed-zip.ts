import { setTimeout as wait } from 'node:timers/promises'
import { strToU8, zipSync } from 'fflate'
import { type Seal, sealNameOf } from '#machines/contracts/entities/seals.ts'
import type { ReportRecord } from '#machines/projections/reports.ts'
import type { HttpContext } from './context.ts'

export const NOT_SIGNED_YET = 'The record was not signed since: try again in a minute'

/** The signature comes within a moment of the report; whoever asks in that moment need not ask twice. Real time, ms. */
const PATIENCE = 5_000
const EVERY = 250

/** The seal of a report, once it is there; undefined: it is not within seconds. */
export async function sealSoon(seals: HttpContext['seals'], report: ReportRecord): Promise<Seal | undefined> {
  for (let waited = 0; ; waited += EVERY) {
    const seal = await seals.ofReport(report)
    if (seal !== undefined || waited >= PATIENCE) return seal
    await wait(EVERY)
  }
}

/** The only time in an archive: it is there to be unpacked, and says nothing of when it was made. Local time, as ZIP has it. */
const TIME = new Date(1980, 0, 1, 12)

/** A ZIP of a file as it is, with its seal beside it. Nothing is put into the file; neither would shrink again. */
export const sealedZip = (fileName: string, bytes: Uint8Array, seal: Seal): Uint8Array =>
  zipSync(
    { [fileName]: bytes, [sealNameOf(fileName)]: strToU8(JSON.stringify(seal)) },
    { level: 0, mtime: TIME },
  )
