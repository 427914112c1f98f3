import { FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { type Device, devicesWithin } from '#machines/projections/directory.ts'
import { historyRangeFault } from '#machines/rules/date-range.ts'
import { moveDevices, stayed } from '../../commands/devices/move-devices.ts'
import { updateDevice } from '../../commands/devices/update-device.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createCutOf, deviceAt, historyAt } from './as-of.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { createFleetColumns, type FleetColumns } from './fleet-columns.ts'
import { historyAnswer, violationsWithin } from './history-answer.ts'
import { jsonRows } from './json-rows.ts'
import { createKeptHistory } from './kept-history.ts'
import { ApiError, refusal } from './refusals.ts'
import { thingAnswer } from './thing-answer.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

const WARM_AFTER_MS = 1000

type Deps = Pick<
  HttpContext,
  'notifications' | 'answerCall' | 'visible' | 'store' | 'clock' | 'readModels' | 'execute' | 'app' | 'past'
>

/** Devices: those of a group with what they last measured, one with its past, and how they are edited and moved. */
export function deviceRoutes(deps: Deps): void {
  fleetRoutes(deps)
  editRoutes(deps)
  detailRoutes(deps)
}

function fleetRoutes(deps: Deps): void {
  const { answerCall, visible, clock, readModels } = deps
  const { directory, latest } = readModels
  const fleetColumns = createFleetColumns(directory, latest)
  keepWarm(deps, fleetColumns)

  answerCall('groupThings', ({ params, visitor, reply }) => {
    const numbers = devicesWithin(directory, visible.group(visitor, params.groupId)._id)
    reply.type('application/json')
    return thingsJson(deps, numbers, '[', ']')
  })

  answerCall('vehicleModels', ({ params, visitor }) => {
    const numbers = new Map<string, number[]>()
    for (const deviceNo of devicesWithin(directory, visible.group(visitor, params.groupId)._id)) {
      const { vehicleMakeAndModel: model } = directory.devices[deviceNo] as Device
      const alike = numbers.get(model)
      if (alike) alike.push(deviceNo)
      else if (model !== '') numbers.set(model, [deviceNo])
    }
    return Array.from(numbers, ([model, devices]) => ({ model, devices: devices.join() }))
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
    reply.type('application/json')
    return thingsJson(deps, devicesWithin(directory, groupId), `{"seq":${seq},"data":[`, ']}')
  })
}

/** A JSON array of devices: 100,000 of them are some 70 MB. */
function thingsJson({ readModels }: Deps, numbers: Uint32Array, before: string, after: string) {
  const { directory, latest } = readModels
  return jsonRows(
    numbers.length,
    (i) => thingAnswer(directory, latest, directory.devices[numbers[i] as number] as Device),
    before,
    after,
  )
}

function editRoutes({ answerCall, visible, readModels, execute }: Deps): void {
  const { directory, latest } = readModels
  const histories = createChangeHistories(readModels)

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

  answerCall('moveThings', async ({ body, visitor }) => {
    const { facts, refused } = await execute(
      STRUCTURE,
      { type: 'device.move', by: visitor.userId, data: body },
      (state, command) => moveDevices(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { moved: facts.length, refused: stayed(directory, body.things) }
  })
}

function detailRoutes(deps: Deps): void {
  const { answerCall, visible, readModels } = deps
  const { directory, latest } = readModels
  const keptHistory = createKeptHistory(deps)
  const cutOf = createCutOf(deps)
  const histories = createChangeHistories(readModels)

  answerCall('thing', ({ params, visitor, reply }) =>
    versioned(reply, thingAnswer(directory, latest, visible.device(visitor, params.imei))),
  )

  answerCall('thingHistory', async ({ params, query, visitor }) => {
    const { imei } = visible.device(visitor, params.imei)
    return histories.page(visitor, 'devices', imei, { ...query, cut: await cutOf(query, visitor) })
  })

  answerCall('observations', async ({ params, query, visitor }) => {
    const device = visible.device(visitor, params.imei)
    const { startDate, endDate } = query.data
    const fault = historyRangeFault(startDate, endDate)
    if (fault !== undefined) throw new ApiError(400, fault)
    const cut = await cutOf(query, visitor)
    const answer = await historyAnswer(
      {
        ...deps,
        keptHistory: historyAt(keptHistory, cut),
        readModels: { directory: cut?.directory ?? directory, latest },
      },
      deviceAt(cut, device, readModels, visitor),
      { from: startDate, to: endDate },
      query.maxPoints,
    )
    return {
      ...answer,
      ...(cut && { latest: answer.points.at(-1) ?? null }),
      ...(await violationsWithin(deps, device.no, startDate, Math.min(endDate, cut?.at ?? endDate), cut)),
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
