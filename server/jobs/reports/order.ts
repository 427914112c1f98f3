import type { ReportKind } from '#machines/contracts/entities/reports.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { DeviceType, ViolationType } from '#machines/contracts/scalars.ts'
import type { Judgement } from '#machines/rules/limits.ts'
import type { PartOfDay } from '#machines/rules/parts-of-days.ts'

/** What is to be made, whole: with the same order and the same log the same file comes out, to the byte. */
export type ReportOrder = {
  reportId: string
  kind: ReportKind
  /** what people call it, e.g. Distance Report */
  title: string
  company: { companyId: string; name: string; timeZone: string }
  /** in whose log it is */
  group: { groupId: string; name: string }
  /** readings and events with from ≤ at < to, epoch ms */
  from: number
  to: number
  /** of an event report; null: all */
  types: readonly ViolationType[] | null
  /** km; days and trips shorter than this are left out; null: none is */
  minDistance: number | null
  /** km/h, of a report of over-speeding; null: the standard limit */
  speed: number | null
  /** of a travel report: the part of each day that counts; null: all of it */
  partOfDay: PartOfDay | null
  /** who asked, and when (epoch ms, the server's clock) */
  requestedBy: string
  requestedAt: number
  /** the position of the log it is made from */
  upTo: number
  /** of a report that is made once more, of later readings: from 2 on; left out: the first */
  version?: number
  /** of a case: the notification that tells of the violation */
  notificationId?: string
}

/** A device of the order, named and set as it was at `upTo`. */
export type ReportDevice = {
  no: number
  imei: string
  name: string
  plateNumber: string
  vehicleMakeAndModel: string
  type: DeviceType
  groupId: string | null
  groupName: string
  /** of its group; undefined: it is in none */
  thresholds: Thresholds | undefined
}

/** What groups the order names, and those its devices are in. */
export type ReportGroup = { groupId: string; name: string; parentId: string | null } & Thresholds

/** What a file is made of: all of it as it was at `upTo`, whatever has happened since. */
export type ReportSource = {
  /** ascending by plate number, then name, then imei */
  devices: readonly ReportDevice[]
  /** parents before children */
  groups: readonly ReportGroup[]
  /** the groups and devices somebody picked, by name, for the cover sheet; a picked group stands for all below it */
  picked: { groups: readonly string[]; devices: readonly string[] }
  /** how violations are evaluated: how long a limit must be crossed, by how much a value must come back, what a gap is */
  violations: Judgement
  /** the device of the order that a fact is about, whatever its IMEI is or was; undefined: of none */
  deviceOf(fact: Fact): ReportDevice | undefined
  /** since when all readings are kept, epoch ms, as of when it was asked for: some of before may be there, and are not all */
  keptFrom: number
  /** readings of one device with from ≤ at < to, ascending by `at`, each once. `isAlone`: of no other device so much is asked for next */
  readings(no: number, from: number, to: number, isAlone?: boolean): Promise<ReadingColumns>
  /** facts of these types of the order's company up to `upTo`, in order, a step at a time. `since`: all that happened from then on, epoch ms, and little of before */
  facts<T extends FactType>(types: readonly T[], since?: number): AsyncIterable<Extract<Fact, { type: T }>[]>
}

/**
 * One file of a report. Each has its own link in the log and is attached to the same mail: a temperature report is a
 * workbook to reckon with and a PDF to look at, all others are a workbook.
 */
export type ReportFile = { bytes: Uint8Array; fileName: string; contentType: string }

/** `done`: 0 to 1 */
export type OnProgress = (done: number) => void

/**
 * Makes the files of an order, the workbook first. Rejects with a `ReportFault` where there is a reason people can read, and with the
 * signal's reason once that is given.
 */
export type MakeFiles = (
  order: ReportOrder,
  source: ReportSource,
  onProgress: OnProgress,
  signal: AbortSignal,
) => Promise<ReportFile[]>

/** A report that cannot be made, in words for whoever asked for it, e.g. that it would have more rows than a sheet. */
export class ReportFault extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ReportFault'
  }
}
