import { Readable } from 'node:stream'
import type { KnownViolation, LateSpan } from '#machines/contracts/entities/devices.ts'
import { FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import { type Device, devicesWithin } from '#machines/projections/directory.ts'
import { historyRangeFault } from '#machines/rules/date-range.ts'
import { lateSpansOf, receivedLateAt } from '#machines/rules/late-spans.ts'
import { updateDevice } from '../../commands/devices/update-device.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { beginningOf, clearedAtOf } from '../../read-models/notification-of.ts'
import type { DamagedSpan } from '../../store/damage.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { createFleetColumns, type FleetColumns } from './fleet-columns.ts'
import { jsonRows } from './json-rows.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'
import { thinHistory } from './thin-history.ts'
import { pointAt, thingAnswer } from './thing-answer.ts'
import { thresholdsOf } from './thresholds-of.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

const WARM_AFTER_MS = 1000

type Deps = Pick<
  HttpContext,
  'notifications' | 'answerCall' | 'visible' | 'store' | 'clock' | 'readModels' | 'execute' | 'app'
>

export function deviceRoutes(deps: Deps): void {
  const keptHistory = createKeptHistory(deps)
  const { answerCall, visible, store, clock, readModels, execute } = deps
  const { directory, latest } = readModels
  const histories = createChangeHistories(readModels)
  const fleetColumns = createFleetColumns(directory, latest)
  keepWarm(deps, fleetColumns)

  /** A JSON array of devices: 100,000 of them are some 70 MB. */
  const thingsJson = (numbers: Uint32Array, before: string, after: string) =>
    jsonRows(
      numbers.length,
      (i) => thingAnswer(directory, latest, directory.devices[numbers[i] as number] as Device),
      before,
      after,
    )

  answerCall('groupThings', ({ params, visitor, reply }) => {
    const numbers = devicesWithin(directory, visible.group(visitor, params.groupId)._id)
    reply.type('application/json')
    return Readable.from(thingsJson(numbers, '[', ']'))
  })

  answerCall('observationsLatest', ({ params, visitor, request, reply }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    reply.header('vary', 'accept').header('cache-control', 'no-store')
    const { seq } = readModels
    if (request.headers.accept?.includes(FLEET_CONTENT_TYPE)) {
      reply.type(FLEET_CONTENT_TYPE)
      return fleetColumns.of(groupId, seq, clock.now())
    }
    // rows may be newer than `seq`: what comes after it is merged by number, so sending it twice does no harm
    const json = thingsJson(devicesWithin(directory, groupId), `{"seq":${seq},"data":[`, ']}')
    reply.type('application/json')
    return Readable.from(json)
  })

  answerCall('updateThing', async ({ params, body, visitor, request, reply }) => {
    const { imei } = params
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'device.update',
        by: visitor.userId,
        data: { imei, ...body, ifVersion: ifVersion(request) },
      },
      (state, command) => updateDevice(state, command, visitor.groupId),
    )
    const current = () => thingAnswer(directory, latest, visible.device(visitor, imei))
    if (refused) throw refusedEdit(refused, current, histories.last('devices', imei))
    return versioned(reply, current())
  })

  answerCall('thing', ({ params, visitor, reply }) =>
    versioned(reply, thingAnswer(directory, latest, visible.device(visitor, params.imei))),
  )

  answerCall('thingHistory', ({ params, query, visitor }) =>
    histories.page(visitor, 'devices', visible.device(visitor, params.imei).imei, query),
  )

  answerCall('observations', async ({ params, query, visitor }) => {
    const device = visible.device(visitor, params.imei)
    const { startDate, endDate } = query.data
    const fault = historyRangeFault(startDate, endDate)
    if (fault !== undefined) throw new ApiError(400, fault)
    const columns = await keptHistory(device, startDate, endDate + 1)
    const thresholds = thresholdsOf(directory, device)
    const rows =
      query.maxPoints === undefined
        ? Uint32Array.from({ length: columns.length }, (_, i) => i)
        : thinHistory(columns, query.maxPoints, thresholds)
    const isHeard = (latest.readings.at[device.no] ?? 0) > 0
    return {
      points: Array.from(rows, (i) => ({ ...pointAt(columns, i), ...receivedLate(columns, i) })),
      latest: isHeard ? pointAt(latest.readings, device.no) : null,
      thresholds: { ...thresholds, ...boundsOf(directory, device.companyId) },
      ...damaged(store.damage.spansOf(device.no, startDate, endDate + 1)),
      ...late(columns),
      ...(await violations(deps, device.no, startDate, endDate)),
    }
  })
}

/**
 * Gathering the names of 100,000 devices takes a tenth of a second: it is done before the first request, and when
 * somebody has renamed or moved a device and nobody has done so since.
 */
function keepWarm({ app, readModels }: Deps, fleetColumns: FleetColumns): void {
  const { directory } = readModels
  let version = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  const warm = (groupIds: string[]): void => {
    version = directory.version
    fleetColumns.warm(groupIds).catch((error: unknown) => app.log.error(error, 'the fleet is not gathered'))
  }
  const tops = () => [...directory.groups.values()].filter(({ parentId }) => parentId === null)
  let unfollow = () => {}
  app.addHook('onReady', async () => {
    warm(tops().map(({ _id }) => _id))
    unfollow = readModels.onAdvance(() => {
      if (directory.version === version) return
      version = directory.version
      clearTimeout(timer)
      timer = setTimeout(() => warm(fleetColumns.known()), WARM_AFTER_MS)
    })
  })
  app.addHook('onClose', async () => {
    unfollow()
    clearTimeout(timer)
  })
}

/** When a reading was received, where that was late. */
function receivedLate(columns: ReadingColumns, row: number): { receivedAt?: string } {
  const at = receivedLateAt(columns, row)
  return at === undefined ? {} : { receivedAt: new Date(at).toISOString() }
}

/** What came late, of all readings, shown or not; left out where nothing did. */
function late(columns: ReadingColumns): { late?: LateSpan[] } {
  const spans = lateSpansOf(columns)
  if (spans.length === 0) return {}
  const iso = (at: number): string => new Date(at).toISOString()
  return {
    late: spans.map(({ from, to, receivedFrom, receivedTo, readings, upTo }) => ({
      from: iso(from),
      to: iso(to),
      receivedFrom: iso(receivedFrom),
      receivedTo: iso(receivedTo),
      readings,
      upTo,
    })),
  }
}

/** The violations of a device that reach into [from, to], ascending by when they began; left out where there are none. */
async function violations(
  { notifications, readModels }: Deps,
  no: number,
  from: number,
  to: number,
): Promise<{ violations?: KnownViolation[] }> {
  const { violations } = readModels.attention
  const iso = (at: number): string => new Date(at).toISOString()
  const known = (await notifications.violationsOf(no, from, to))
    .map((fact) => ({
      type: fact.data.type,
      ...beginningOf(fact, violations),
      clearedAt: clearedAtOf(fact, violations) ?? null,
    }))
    .filter(({ since, clearedAt }) => since <= to && (clearedAt ?? to) >= from)
    .sort((a, b) => a.since - b.since)
  if (known.length === 0) return {}
  return {
    violations: known.map(({ type, since, clearedAt, isSinceBefore }) => ({
      type,
      since: iso(since),
      clearedAt: clearedAt === null ? null : iso(clearedAt),
      ...(isSinceBefore && { isSinceBefore }),
    })),
  }
}

/** Spans without readings because they are damaged; left out where there are none. */
function damaged(spans: readonly DamagedSpan[]): { damaged?: { from: string; to: string }[] } {
  if (spans.length === 0) return {}
  return {
    damaged: spans.map(({ from, to }) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    })),
  }
}
