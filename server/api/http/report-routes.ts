import { Readable } from 'node:stream'
import type { ReportLogEntry } from '#machines/contracts/entities/reports.ts'
import { ALL, type ViolationType } from '#machines/contracts/scalars.ts'
import { isWithin } from '#machines/projections/directory.ts'
import { membersOf } from '#machines/projections/report-members.ts'
import {
  FILE_DAMAGED,
  FILE_DROPPED,
  hasFiles,
  inLine,
  newestVersion,
  type ReportRecord,
  versionOf,
} from '#machines/projections/reports.ts'
import { typeCalled } from '#machines/rules/report-types.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { newId } from '../../commands/repeatable.ts'
import { makeVersion, nextVersionOf } from '../../commands/reports/versions.ts'
import { cancelReport, retryReport } from '../../commands/reports/work-on-report.ts'
import { streamOf } from '../../jobs/reports/queue.ts'
import { createSharedBytes } from '../../jobs/reports/shared-bytes.ts'
import type { DamagedPart } from '../../store/damage.ts'
import { attachmentOf } from './attachment.ts'
import type { HttpContext } from './context.ts'
import { pageOrAll } from './json-rows.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { ACCEPTED, createReportRequests, REQUEST_LIMIT as LIMIT } from './report-requests.ts'
import { selectionOf } from './report-selection.ts'
import type { CallRequest } from './routes.ts'
import { NOT_SIGNED_YET, sealedZip, sealSoon } from './sealed-zip.ts'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'visible' | 'access' | 'execute' | 'readModels' | 'clock' | 'reports' | 'seals' | 'store'
>

/** Files an address may fetch a minute: an office has one. */
const FILES_A_MINUTE = 300

/** Reports: requested, listed, cancelled, made again, fetched. */
export function reportRoutes(deps: Deps): void {
  requestRoutes(deps)
  logRoutes(deps)
  retryRoute(deps)
  cancelRoute(deps)
  versionRoute(deps)
  fileRoute(deps)
}

function requestRoutes({ answerCall, visible, execute, readModels }: Deps): void {
  const request = createReportRequests({ execute, readModels })

  answerCall(
    'requestReport',
    ({ params, body, visitor }) =>
      request(visitor, logOf(visible, visitor, params), body.reportType ?? 'eventReport', body, {
        types: body.type === undefined || body.type.includes(ALL) ? null : (body.type as ViolationType[]),
        minDistance: body.minDistance ?? null,
        geofences: body.geofences ?? [],
        ...(body.speed !== undefined && { speed: body.speed }),
      }),
    LIMIT,
  )
  answerCall(
    'requestObservationReport',
    ({ params, body, visitor }) =>
      request(visitor, logOf(visible, visitor, params), 'observationReport', {
        things: body.vehicels,
        groups: [],
        ...body.interval,
      }),
    LIMIT,
  )
  answerCall(
    'requestDistanceReport',
    ({ params, body, visitor }) => request(visitor, logOf(visible, visitor, params), 'distanceReport', body),
    LIMIT,
  )
  answerCall(
    'requestPowerReport',
    ({ params, body, visitor }) => request(visitor, logOf(visible, visitor, params), 'powerReport', body),
    LIMIT,
  )
  answerCall(
    'requestTemperatureReport',
    ({ params, body, visitor }) =>
      request(visitor, logOf(visible, visitor, params), 'temperatureReport', body),
    LIMIT,
  )
  answerCall(
    'requestTripReport',
    ({ query, body, visitor }) => {
      visible.company(visitor, query.companyId)
      return request(visitor, visitor.groupId, 'tripReport', body)
    },
    LIMIT,
  )
}

function retryRoute({ answerCall, execute, readModels }: Deps): void {
  answerCall(
    'retryReport',
    async ({ params: { id }, visitor }) => {
      const { refused } = await execute(
        streamOf(visitor.companyId),
        { type: 'report.retry', by: visitor.userId, data: { reportId: id, upTo: readModels.seq } },
        (state, command) => retryReport(state, command, visitor.groupId),
      )
      if (refused) throw refusal(refused)
      return { _id: id, message: ACCEPTED }
    },
    LIMIT,
  )
}

function cancelRoute({ answerCall, execute }: Deps): void {
  answerCall(
    'cancelReport',
    async ({ params: { id }, visitor }) => {
      const { refused } = await execute(
        streamOf(visitor.companyId),
        { type: 'report.cancel', by: visitor.userId, data: { reportId: id } },
        (state, command) => cancelReport(state, command, visitor.groupId),
      )
      if (refused) throw refusal(refused)
      return { _id: id, message: 'The report is cancelled' }
    },
    LIMIT,
  )
}

function versionRoute({ answerCall, execute, readModels }: Deps): void {
  answerCall(
    'makeReportVersion',
    async ({ params: { id }, visitor }) => {
      const data = { reportId: newId('r'), ofId: id, upTo: readModels.seq }
      let made: ReportRecord | undefined
      const { refused } = await execute(
        streamOf(visitor.companyId),
        { type: 'report.make-version', by: visitor.userId, data },
        (state, command) => {
          made = nextVersionOf(state, id)
          return makeVersion(state, command, visitor.groupId)
        },
      )
      if (refused) throw refusal(refused)
      return { _id: made?.reportId ?? data.reportId, message: ACCEPTED }
    },
    LIMIT,
  )
}

function logRoutes(deps: Deps): void {
  const { answerCall, visible, access, clock, reports, store } = deps
  const { directory } = deps.readModels
  answerCall('companyReports', (request) => log(logOf(visible, request.visitor, request.params), request))
  answerCall('reportLog', (request) => {
    visible.company(request.visitor, request.params.companyId)
    return log(request.visitor.groupId, request)
  })

  /** Reports of a group and all below it, newest first. */
  function log(
    groupId: string,
    { query, visitor, reply }: Pick<CallRequest<'reportLog'>, 'query' | 'visitor' | 'reply'>,
  ) {
    const ahead = new Map(inLine(directory.reports, clock.now()).map(({ reportId }, n) => [reportId, n]))
    const newest = newestVersion(directory.reports)
    const damaged = store.damage.list()
    const listed = [...directory.reports.values()]
      .reverse()
      .values()
      .filter((report) => isWithin(directory, report.groupId, groupId))
    const lineOf = (report: ReportRecord): ReportLogEntry => ({
      ...entryOf(report, visitor.groupId, ahead.get(report.reportId)),
      ...versionsOf(report, newest(report)),
      ...damagedOf(report, damaged),
    })
    return pageOrAll(listed, query, lineOf, reply)
  }

  function damagedOf(
    report: ReportRecord,
    parts: readonly DamagedPart[],
  ): Pick<ReportLogEntry, 'damagedDevices'> {
    const isOf = membersOf(directory, report)
    const devices = new Set<number>()
    for (const { device, from, to } of parts)
      if (device !== null && from !== null && to !== null && from < report.to && to >= report.from)
        if (isOf(device)) devices.add(device)
    return devices.size === 0 ? {} : { damagedDevices: devices.size }
  }

  function versionsOf(
    report: ReportRecord,
    newest: ReportRecord,
  ): Pick<ReportLogEntry, 'version' | 'versions' | 'outdated'> {
    const version = versionOf(report)
    const versions = versionOf(newest)
    const isOutdated = report === newest && report.outdated !== undefined && hasFiles(report, clock.now())
    return {
      ...(versions > 1 && { version, versions }),
      ...(isOutdated && { outdated: { readings: report.outdated?.readings ?? 0, nextVersion: version + 1 } }),
    }
  }

  function entryOf(report: ReportRecord, topId: string, ahead: number | undefined): ReportLogEntry {
    const isThere = hasFiles(report, clock.now())
    const files = isThere
      ? report.files.map(({ fileName, contentType, bytes }, n) => ({
          ...linksTo(access.downloadLinks.to(report.reportId, n)),
          fileName,
          contentType,
          size: bytes,
        }))
      : []
    const { status } = report
    return {
      _id: report.reportId,
      reportType: report.title,
      type: typeCalled(report.title, report.scheduleId !== null),
      selection: selectionOf(directory, report, topId),
      dateFrom: iso(report.from),
      // the record has the end of the range, which is no part of it
      dateTo: iso(Math.max(report.from, report.to - 1)),
      createdAt: iso(report.requestedAt),
      isCompleted: status === 'completed',
      url: files[0]?.url ?? null,
      status,
      progress: status === 'completed' ? 1 : (reports.progress(report.reportId) ?? 0),
      ...(status === 'requested' && ahead !== undefined && { ahead }),
      reason: status === 'completed' && !isThere ? FILE_DROPPED : report.reason,
      requestedBy: report.requestedBy,
      ...(report.cancelledBy !== undefined && { cancelledBy: report.cancelledBy }),
      fileName: files[0]?.fileName ?? null,
      size: files[0]?.size ?? null,
      files,
    }
  }
}

function fileRoute({ answerCall, access, reports, seals, clock, readModels: { directory } }: Deps): void {
  // who holds the link needs nothing else, so it is in no history and in no cache
  answerCall('reportFile', answerFile, { perMinute: FILES_A_MINUTE })

  const sealedZips = createSharedBytes()
  async function answerFile({ params: { id }, query, request, reply }: CallRequest<'reportFile'>) {
    const file = query.file ?? 0
    const found = access.downloadLinks.check({ id, ...query, file })
    if (found === 'wrong') throw notFound()
    if (found === 'expired')
      throw new ApiError(410, 'This link has run out: fetch the report from the log again')
    const report = directory.reports.get(id)
    const made = report?.files[file]
    if (report === undefined || made === undefined) throw notFound()
    if (!hasFiles(report, clock.now())) throw new ApiError(410, FILE_DROPPED)
    const asFile = <T>(body: T): T => {
      reply
        .type(query.sealed ? 'application/zip' : made.contentType)
        .header('content-disposition', attachmentOf(query.sealed ? `${made.fileName}.zip` : made.fileName))
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
      return body
    }
    const seal = query.sealed ? await sealSoon(seals, report) : undefined
    if (query.sealed && seal === undefined) throw new ApiError(409, NOT_SIGNED_YET)
    // whoever asks for the head alone is told what the record says
    if (request.method === 'HEAD') {
      if (!query.sealed) reply.header('content-length', made.bytes)
      return asFile(Readable.from([]))
    }
    const bytes = await reports.file(id, file)
    if (bytes === undefined) throw new ApiError(410, FILE_DAMAGED)
    if (seal === undefined) return asFile(bytes)
    const zip = () => Promise.resolve(sealedZip(made.fileName, bytes, seal))
    return asFile(await sealedZips(`${id}.${file} ${JSON.stringify(seal)}`, zip))
  }
}

const linksTo = (url: string): { url: string; sealedUrl: string } => ({
  url,
  sealedUrl: `${url}&sealed=true`,
})

/** The group whose log a report is to be in, of the company that is named beside it. */
function logOf(
  visible: Deps['visible'],
  visitor: Visitor,
  { groupId, companyId }: { groupId: string; companyId: string },
): string {
  visible.company(visitor, companyId)
  return visible.group(visitor, groupId)._id
}

const iso = (at: number): string => new Date(at).toISOString()
