import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Clock } from '#machines/contracts/clock.ts'
import { deviceByImei, senderRefusal } from '#machines/projections/directory.ts'
import { type Administration, createAdministration } from './admin/administration.ts'
import { type Backups, createBackups } from './admin/backups.ts'
import { logDamage } from './admin/damage-words.ts'
import { registerMetrics } from './admin/metrics.ts'
import { createReadiness, type Readiness } from './admin/readiness.ts'
import { HTTP_OPTIONS, registerHttp } from './api/http/plugin.ts'
import { createMarkRead } from './api/realtime/mark-read.ts'
import { type Delivery, registerDelivery } from './api/realtime/realtime.ts'
import { type SealKeyPlace, sealKeyPlace } from './auth/seal-key.ts'
import { keepLeadership, type Leadership } from './cluster/leadership.ts'
import type { Env } from './config/config.ts'
import { createIsProxy } from './config/proxies.ts'
import { publicUrlOf } from './config/public-url.ts'
import { type Core, openCore } from './core.ts'
import { type Budgets, startBudgets } from './evaluation/budgets/budgets.ts'
import type { Infrastructure } from './infrastructure.ts'
import { ingestRoute } from './ingest/http-route.ts'
import { createLastWords, type LastWords } from './ingest/last-words.ts'
import { createTrackerGateway, type Gateway, type GatewayOptions } from './ingest/trackers/gateway.ts'
import { GT06 } from './ingest/trackers/gt06/protocol.ts'
import type { Protocol } from './ingest/trackers/protocol.ts'
import { TELTONIKA } from './ingest/trackers/teltonika/protocol.ts'
import { createUnknownDevices, type UnknownDevices } from './ingest/unknown-devices.ts'
import { createProgress, type ReportProgress } from './jobs/reports/progress.ts'
import { createReportFileFinder, type ReportFileFinder } from './jobs/reports/report-files.ts'
import { createProofs, type Proofs } from './jobs/seals/proofs.ts'
import { type LeaderJobs, startLeaderJobs } from './leader-jobs.ts'
import type { SimulatorPart, SimulatorSession } from './ports.ts'
import { createPast } from './read-models/fleet-at.ts'
import { createNotificationIndex, type NotificationIndex } from './read-models/notification-index.ts'

export type AppOptions = {
  env: Env
  /** where the record is, and the other nodes; it outlives this app */
  infrastructure: Infrastructure
  /** where the server listens, e.g. `http://127.0.0.1:4000` */
  address: string
  /** directory of the built portal; may come to be later */
  distDir: string
  logger: NonNullable<FastifyServerOptions['logger']>
  /** undefined in production */
  simulator?: SimulatorSession | undefined
  /** ms that only ever grow: limits on guessing live in real time, whatever the clock does */
  uptime?: (() => number) | undefined
  /** the record is another by now, or not what this node has of it: this app is of no use any more */
  onStale(why: string): void
}

export type App = {
  /** ready, but listening nowhere */
  fastify: FastifyInstance
  /** where trackers connect, by how they speak */
  gateways: Gateways
  /** devices that knocked and are not registered */
  unknownDevices: UnknownDevices
  core: Core
  /** copies of what is stored, made on request */
  backups: Backups
  /** what is done on this machine by whoever runs the server */
  administration: Administration
  close(): Promise<void>
}

export type Gateways = Readonly<Record<Protocol['name'], Gateway>>

/** What every app is made of before anything is put onto it. */
type Parts = {
  options: AppOptions
  clock: Clock
  core: Core
  publicUrl: string
  notifications: NotificationIndex
  progress: ReportProgress
  reportFiles: ReportFileFinder
  seals: { proofs: Proofs; place: SealKeyPlace }
  backups: Backups
  unknownDevices: UnknownDevices
  lastWords: LastWords
  budgets: Budgets
  /** the simulator's part, once it has joined */
  simulation: SimulatorPart | undefined
  /** what this node does where it leads */
  leadership: Leadership<LeaderJobs> | undefined
}

/** What every node does: the record and those who follow it, REST and sockets, trackers; and leading, where it is to lead. */
export async function buildApp(options: AppOptions): Promise<App> {
  const fastify = Fastify({
    ...HTTP_OPTIONS,
    trustProxy: createIsProxy(options.env.trustedProxies),
    logger: options.logger,
  })
  const parts = await openParts(options, fastify.log)
  const readiness = readinessOf(parts)
  const gateways = openGateways(parts, fastify)
  const close = () => closeApp(parts, fastify, gateways)
  try {
    await putHttp(parts, fastify, readiness)
    const delivery = await putSockets(parts, fastify)
    await joinSimulator(parts, fastify)
    putMetrics(parts, fastify, { readiness, gateways, delivery })
    logDamage(fastify.log, parts.core.store.damage, parts.core.readModels.directory)
    await lead(parts, fastify)
    await fastify.ready()
  } catch (error) {
    await close()
    throw error
  }
  const { core, backups, unknownDevices } = parts
  return { fastify, gateways, core, backups, unknownDevices, administration: administrationOf(parts), close }
}

async function openParts(options: AppOptions, log: FastifyBaseLogger): Promise<Parts> {
  const { env, infrastructure, simulator } = options
  const { cluster } = infrastructure
  const clock = simulator?.clock ?? { now: () => Date.now() }
  const core = await openCore({
    env,
    infrastructure,
    clock,
    onStale: options.onStale,
    warn: (message) => log.warn(message),
    uptime: options.uptime,
    use: simulator ? 'demo' : 'production',
    ...(simulator && { registration: simulator.registration, wrapStore: simulator.wrapStore }),
  })
  const { store, readModels, ingest } = core
  const unknownDevices = createUnknownDevices(clock)
  const budgets = startBudgets({ store, readModels, clock, warn: (message) => log.warn(message) })
  core.join(budgets)
  readModels.onAdvance(({ facts }) => {
    for (const { type, data } of facts) {
      if (type === 'device.registered') unknownDevices.forget(data.imei)
      else if (type === 'device.tracker-replaced') unknownDevices.forget(data.after)
    }
  })
  return {
    options,
    clock,
    core,
    unknownDevices,
    budgets,
    lastWords: createLastWords({
      ingest,
      clock,
      deviceByImei: (imei) => readModels.directory.devices[readModels.directory.numbers.get(imei) ?? -1],
    }),
    publicUrl: publicUrlOf(env.publicUrl, options.address),
    notifications: createNotificationIndex(store.log, readModels, cluster.values),
    progress: createProgress(cluster, readModels.directory.reports),
    reportFiles: createReportFileFinder({
      readModels,
      clock,
      files: cluster.files,
      warn: (message) => log.error(message),
    }),
    seals: {
      proofs: createProofs({ store, reports: readModels.directory.reports }),
      place: sealKeyPlace(env, infrastructure.database),
    },
    backups: createBackups({ store, dataDir: env.dataDir, backupDir: env.backupDir }),
    simulation: undefined,
    leadership: undefined,
  }
}

const administrationOf = ({ core, clock, publicUrl, seals }: Parts): Administration =>
  createAdministration({
    directory: core.readModels.directory,
    log: core.store.log,
    emailLinks: core.access.emailLinks,
    execute: core.execute,
    clock,
    sealKey: seals.place,
    publicUrl,
  })

const readinessOf = (parts: Parts): Readiness =>
  createReadiness({
    store: parts.core.store,
    readModels: parts.core.readModels,
    leading: () => parts.leadership?.current(),
    database: parts.options.infrastructure.database,
    simulation: () => parts.simulation?.notReadyBecause(),
  })

/** REST, the portal's files, and the door for readings. */
async function putHttp(parts: Parts, fastify: FastifyInstance, readiness: Readiness): Promise<void> {
  const { options, clock, core, publicUrl, progress, reportFiles } = parts
  const { env, simulator, distDir } = options
  const { store, readModels, access, ingest } = core
  await registerHttp(fastify, {
    env: { ...env, publicUrl },
    store,
    readModels,
    notifications: parts.notifications,
    past: createPast({ store, readModels, notifications: parts.notifications }),
    access,
    execute: core.execute,
    reports: { progress: progress.of, file: reportFiles.file },
    seals: parts.seals.proofs,
    clock,
    cluster: options.infrastructure.cluster,
    demoAccounts: simulator?.demoAccounts ?? [],
    timeZone: simulator?.registration.timeZone ?? 'UTC',
    notReadyBecause: readiness.notReadyBecause,
    unknownDevices: parts.unknownDevices,
    lastWords: parts.lastWords,
    budgets: parts.budgets,
    distDir,
    ...(simulator && { network: simulator.network }),
  })
  await fastify.register(ingestRoute, {
    prefix: '/api',
    ingest,
    clock,
    keyOf: access.keyOf,
    deviceByImei: (imei: string) => deviceByImei(readModels.directory, imei),
    senderRefusal: (imei: string) => senderRefusal(readModels.directory, imei),
    unknownDevices: parts.unknownDevices,
  })
}

/** What portals hear as it happens. */
async function putSockets(parts: Parts, fastify: FastifyInstance): Promise<Delivery> {
  const { clock, core, notifications, progress } = parts
  const { simulator } = parts.options
  const { store, readModels, access } = core
  const delivery = await registerDelivery(fastify, {
    clock,
    readModels,
    log: store.log,
    verifyToken: access.verifyToken,
    publicUrl: parts.publicUrl,
    seatsPerUser: parts.options.env.socketsPerUser,
    markRead: createMarkRead({ execute: core.execute, notifications, readModels }),
    ...(simulator && { network: simulator.network, pace: simulator.pace }),
  })
  progress.onProgress(({ reportId, groupId }) =>
    delivery.hint({ subject: 'reports', id: reportId, groups: [groupId] }),
  )
  return delivery
}

function openGateways({ core, clock, unknownDevices }: Parts, fastify: FastifyInstance): Gateways {
  const open = (protocol: Protocol): Gateway =>
    createTrackerGateway({
      protocol,
      ingest: core.ingest,
      clock,
      deviceByImei: (imei) => senderOf(core, imei),
      senderRefusal: (imei) => senderRefusal(core.readModels.directory, imei),
      unknownDevices,
      report: (error) => fastify.log.error(error),
    })
  return { teltonika: open(TELTONIKA), gt06: open(GT06) }
}

/** The device a tracker reports for, and how far its clock is ahead of UTC, ms. */
function senderOf(
  { readModels: { directory } }: Core,
  imei: string,
): ReturnType<GatewayOptions['deviceByImei']> {
  const device = deviceByImei(directory, imei)
  return device && { no: device.no, companyId: device.companyId, utcOffset: device.clockOffset * 60_000 }
}

async function joinSimulator(parts: Parts, fastify: FastifyInstance): Promise<void> {
  const { options, core, publicUrl } = parts
  const { env, infrastructure, address, simulator } = options
  parts.simulation = await simulator?.join(fastify, {
    core,
    cluster: infrastructure.cluster,
    address,
    publicUrl,
    isProxy: createIsProxy(env.trustedProxies),
  })
}

function putMetrics(
  parts: Parts,
  fastify: FastifyInstance,
  more: { readiness: Readiness; gateways: Gateways; delivery: Delivery },
): void {
  const { options, core, backups } = parts
  const { env, infrastructure } = options
  registerMetrics(fastify.metrics, {
    dataDir: env.dataDir,
    backups: env.backupDir === undefined ? undefined : backups,
    head: core.store.log.head,
    damage: core.store.damage,
    checked: core.checked,
    telemetry: core.store.telemetry,
    ingest: core.ingest,
    leading: () => parts.leadership?.current(),
    infrastructure,
    ...more,
  })
}

/** Does what is to be done once, where this node leads, and while it does. */
async function lead(parts: Parts, fastify: FastifyInstance): Promise<void> {
  const { options, clock, core, publicUrl, progress, reportFiles } = parts
  const { env, infrastructure } = options
  const { cluster } = infrastructure
  const { log } = fastify
  const reports = { files: cluster.files, progress, reportFiles }
  parts.leadership = await keepLeadership({
    cluster,
    begin(over) {
      if (parts.leadership) log.warn({ term: cluster.leader()?.term }, 'this node leads from now on')
      const { simulation, budgets } = parts
      const sealing = {
        place: parts.seals.place,
        term: () => (cluster.leads() ? cluster.leader()?.term : undefined),
      }
      return startLeaderJobs(
        { env, publicUrl, clock, core, budgets, reports, sealing, simulation, log },
        over,
      )
    },
    onError: (error) => log.error(error, 'this node is to lead, and cannot'),
  })
}

async function closeApp(parts: Parts, fastify: FastifyInstance, gateways: Gateways): Promise<void> {
  await parts.leadership?.stop()
  await parts.simulation?.stop()
  await Promise.all(Object.values(gateways).map((gateway) => gateway.close()))
  await fastify.close()
  parts.progress.stop()
  await parts.budgets.stop()
  await parts.core.close()
}
