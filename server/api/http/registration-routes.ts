import multipart from '@fastify/multipart'
import { REMARKS_AT_ONCE } from '#machines/contracts/calls/registration-calls.ts'
import {
  type DeviceImport,
  type DeviceRecord,
  IMPORT_BYTES,
} from '#machines/contracts/entities/device-records.ts'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import type { Visitor } from '../../auth/visitor.ts'
import {
  type Registrar,
  registerDevices,
  replaceTracker,
  retireDevice,
  whyNotAdd,
} from '../../commands/devices/register-devices.ts'
import { updateDevice } from '../../commands/devices/update-device.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import type { SentList } from '../../jobs/imports/company-lists.ts'
import { createImports, ImportsFull } from '../../jobs/imports/imports.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { fileOf } from './form-file.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<
  HttpContext,
  | 'app'
  | 'answerCall'
  | 'visible'
  | 'execute'
  | 'readModels'
  | 'clock'
  | 'unknownDevices'
  | 'lastWords'
  | 'cluster'
>

/** Lists that an address may send a minute: each is read by a thread. */
const LISTS_A_MINUTE = 10

const registrarOf = ({ userId, companyId, groupId, superAdmin }: Visitor): Registrar => ({
  userId,
  companyId,
  topId: groupId,
  isSuperAdmin: superAdmin,
})

/** Adding devices one by one and by lists, changing their trackers, retiring them, and what is known of each. */
export async function registrationRoutes(deps: Deps): Promise<void> {
  const { answerCall, visible, execute, readModels, unknownDevices } = deps
  const { directory } = readModels
  const histories = createChangeHistories(readModels)
  const recordOf = (visitor: Visitor, imei: string) =>
    deviceRecord(deps, visitor, visible.device(visitor, imei))

  answerCall('deviceRecord', ({ params, visitor, reply }) => versioned(reply, recordOf(visitor, params.imei)))

  answerCall('changeDevice', async ({ params: { imei }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      { type: 'device.update', by: visitor.userId, data: { imei, ...body, ifVersion: ifVersion(request) } },
      (state, command) => updateDevice(state, command, visitor.groupId),
    )
    const current = () => recordOf(visitor, imei)
    if (refused) throw refusedEdit(refused, current, histories.last('devices', imei))
    return versioned(reply, current())
  })

  async function add(
    visitor: Visitor,
    device: Parameters<typeof registerDevices>[1]['data']['devices'][number],
    source: 'tracker' | 'api',
  ): Promise<DeviceRecord> {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'device.register',
        by: visitor.userId,
        data: { devices: [device], source, skipKnown: false },
      },
      (state, command) => registerDevices(state, command, registrarOf(visitor)),
    )
    if (refused) throw refusal(refused)
    return recordOf(visitor, device.imei)
  }

  answerCall('addDevice', ({ body, visitor }) => add(visitor, body, 'tracker'))

  answerCall('replaceTracker', async ({ params: { imei }, body, visitor }) => {
    const { refused } = await execute(
      STRUCTURE,
      { type: 'device.replace-tracker', by: visitor.userId, data: { imei, newImei: body.imei } },
      (state, command) => replaceTracker(state, command, registrarOf(visitor)),
    )
    if (refused) throw refusal(refused)
    return recordOf(visitor, body.imei)
  })

  answerCall('retireDevice', async ({ params: { imei }, body: { reason }, visitor }) => {
    const { refused } = await execute(
      STRUCTURE,
      { type: 'device.retire', by: visitor.userId, data: { imei, reason } },
      (state, command) => retireDevice(state, command, registrarOf(visitor)),
    )
    if (refused) throw refusal(refused)
    return recordOf(visitor, imei)
  })

  const knocking = (visitor: Visitor) => {
    const who = registrarOf(visitor)
    return whyNotAdd(directory, who) === undefined ? unknownDevices.list(who) : []
  }

  answerCall('unknownDevices', ({ visitor }) => ({
    mayRegister: whyNotAdd(directory, registrarOf(visitor)) === undefined,
    since: instant(unknownDevices.since),
    devices: knocking(visitor).map(({ companyId: _, firstAt, lastAt, ...device }) => ({
      ...device,
      firstAt: instant(firstAt),
      lastAt: instant(lastAt),
    })),
  }))

  answerCall('takeInDevice', async ({ params: { imei }, visitor }) => {
    const found = knocking(visitor).find((device) => device.imei === imei)
    if (found === undefined) throw notFound()
    return add(
      visitor,
      { imei, name: imei, plateNumber: '', vehicleMakeAndModel: '', type: 'vehicle' },
      found.door === 'http' ? 'api' : 'tracker',
    )
  })

  await importRoutes(deps)
}

async function importRoutes(deps: Deps): Promise<void> {
  const { app, answerCall, execute, readModels, clock, cluster } = deps
  const { directory } = readModels
  const imports = createImports({
    directory,
    execute,
    clock,
    cluster,
    report: (error) => app.log.error(error),
  })
  app.addHook('onClose', () => imports.stop())

  const listOf = async (visitor: Visitor, id: string): Promise<SentList> => {
    const list = await imports.find(id, visitor)
    if (list === undefined) throw notFound()
    return list
  }

  /** companies whose list is on its way: it may take long, and is held in memory */
  const coming = new Set<string>()

  await app.register(async (forms) => {
    await forms.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: IMPORT_BYTES, files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20 },
    })
    answerCall(
      'importDevices',
      async ({ query, visitor, request }) => {
        const who = registrarOf(visitor)
        const whyNot = whyNotAdd(directory, who)
        if (whyNot !== undefined) throw new ApiError(403, whyNot)
        if (coming.has(who.companyId)) throw new ApiError(409, 'Another list of your company is on its way')
        coming.add(who.companyId)
        const bytes = await fileOf(request, { bytes: IMPORT_BYTES, kinds: 'CSV or XLSX' }).finally(() =>
          coming.delete(who.companyId),
        )
        const fileName = query.fileName ?? 'devices'
        return imports.begin({ bytes, fileName }, who).catch(refusedWhereFull)
      },
      { perMinute: LISTS_A_MINUTE, on: forms },
    )
  })

  answerCall('deviceImport', async ({ params, visitor }) => (await listOf(visitor, params.id)).job)

  answerCall('importRemarks', async ({ params, query, visitor }) => {
    const list = await listOf(visitor, params.id)
    const plan = await imports.plan(list, registrarOf(visitor)).catch(refusedWhereFull)
    const remarks = plan?.[query.of] ?? []
    const { skip = 0, limit = REMARKS_AT_ONCE } = query
    return {
      remarks: remarks.slice(skip, skip + Math.min(limit, REMARKS_AT_ONCE)),
      total: remarks.length,
    }
  })

  answerCall('applyImport', async ({ params, body, visitor }) => {
    const list = await listOf(visitor, params.id)
    const keepsGoodLines = body.only === 'good-lines'
    return followed(await imports.apply(list, registrarOf(visitor), keepsGoodLines).catch(refusedWhereFull))
  })

  answerCall('retryImport', async ({ params, visitor }) => {
    const list = await listOf(visitor, params.id)
    return followed(await imports.retry(list, registrarOf(visitor)).catch(refusedWhereFull))
  })

  answerCall('cancelImport', async ({ params, visitor }) =>
    imports.cancel(await listOf(visitor, params.id), visitor),
  )
}

const NOT_FOLLOWED = {
  'not-checked': 'This list is not waiting to be taken',
  'has-faults': 'Some lines cannot be taken: say that only the good ones are to be added',
  'not-stopped': 'This list did not stop on the way',
  gone: 'This list is kept no longer: send the file again',
}

/** @throws ApiError where a list cannot be gone on with */
function followed(answer: DeviceImport | keyof typeof NOT_FOLLOWED): DeviceImport {
  if (typeof answer === 'string') throw new ApiError(409, NOT_FOLLOWED[answer])
  return answer
}

function refusedWhereFull(error: unknown): never {
  throw error instanceof ImportsFull ? new ApiError(409, error.message) : error
}

const instant = (at: number): string => new Date(at).toISOString()

/** What a reading may have measured, in words, by its columns. */
const SENSORS = [
  ['temperature', 'Temperature'],
  ['temperature2', 'Temperature 2'],
  ['humidity', 'Humidity'],
  ['lat', 'Position'],
  ['externalVoltage', 'Supply voltage'],
  ['batteryVoltage', 'Battery voltage'],
  ['ignition', 'Ignition'],
  ['gsmSignal', 'GSM signal'],
] as const

function deviceRecord(
  { readModels: { directory, latest }, lastWords }: Pick<Deps, 'readModels' | 'lastWords'>,
  visitor: Visitor,
  device: Device,
): DeviceRecord {
  const { no, groupId } = device
  const at = no < latest.size ? (latest.readings.at[no] as number) : 0
  return {
    imei: device.imei,
    name: device.name,
    plateNumber: device.plateNumber,
    vehicleMakeAndModel: device.vehicleMakeAndModel,
    type: device.type,
    groupId,
    groupName: (groupId === null ? undefined : directory.groups.get(groupId)?.name) ?? '',
    calibrationDue: device.calibrationDue,
    clockOffset: device.clockOffset,
    retiredAt: device.retired === null ? null : instant(device.retired),
    heardAt: at > 0 ? instant(at) : null,
    sensors:
      at > 0
        ? SENSORS.filter(([field]) => latest.readings[field][no] !== READING_FIELDS[field].missing).map(
            ([, words]) => words,
          )
        : [],
    refusedSince: instant(lastWords.since),
    refused: lastWords.of(no).map((word) => ({ ...word, at: instant(word.at) })),
    mayRegister: whyNotAdd(directory, registrarOf(visitor)) === undefined,
    version: String(device.version),
  }
}
