import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { OpenBody, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import type { Director } from '../simulator/director/director.ts'
import { createLogHash } from '../simulator/director/log-hash.ts'
import { createBrowserRuns, walkByScript } from '../simulator/lab/browser-runs.ts'
import { readEndToEnd } from '../simulator/lab/end-to-end.ts'
import { isKnown } from '../simulator/lab/known.ts'
import { createLinkFaults } from '../simulator/network/network-faults.ts'
import type { PastSource } from '../simulator/past/past-source.ts'
import { type StoreWithPast, withPast } from '../simulator/past/with-past.ts'
import { demoAccountsOf, registrationOf } from '../simulator/registration.ts'
import { labPlugin } from '../simulator/routes/lab.ts'
import { scenarioSchemaPlugin } from '../simulator/routes/scenario-schema.ts'
import { simPlugin } from '../simulator/routes/sim.ts'
import { followWorld } from '../simulator/shared-world.ts'
import { openPretend, type Pretend } from '../simulator/world/simulation.ts'
import { type Backups, createBackups } from './admin/backups.ts'
import { registerFigures } from './admin/metrics.ts'
import { createReadiness } from './admin/readiness.ts'
import { HTTP_OPTIONS, registerHttp } from './api/http/plugin.ts'
import { ApiError } from './api/http/refusals.ts'
import { createSeeing } from './api/realtime/mark-read.ts'
import { registerDelivery } from './api/realtime/realtime.ts'
import { type Duty, keepDuty } from './cluster/leadership.ts'
import type { Env } from './config/config.ts'
import { createIsProxy } from './config/proxies.ts'
import { publicUrlOf } from './config/public-url.ts'
import { type Backbone, openBackbone } from './core.ts'
import type { Ground } from './infrastructure.ts'
import { ingestRoute } from './ingest/http-route.ts'
import { createTeltonikaGateway, type Gateway } from './ingest/teltonika/gateway.ts'
import { createProgress } from './jobs/reports/progress.ts'
import { createShelf } from './jobs/reports/report-files.ts'
import { type Leading, startLeading } from './leader-jobs.ts'
import { createNotificationIndex } from './read-models/notification-index.ts'

/** A world to listen to, for whoever exchanges apps: nobody else knows of worlds. */
export const openWorld = openPretend

export type AppOptions = {
  env: Env
  /** where the record is, and the other nodes; it outlives this app */
  ground: Ground
  /** where the house listens, e.g. `http://127.0.0.1:4000` */
  address: string
  /** directory of the built portal; may come to be later */
  distDir: string
  logger: NonNullable<FastifyServerOptions['logger']>
  /** real time for the world's clock, turned by hand and looked at every `tick` ms */
  turned?: { realNow: () => number; tick: number }
  /** leaves what was before the record began unjudged, however small the fleet */
  isPastLeft?: boolean
  /** the world of an app before this one */
  pretend?: Pretend
  /** replaces this app by one at the scenario's start */
  reset(): Promise<SimStatus>
  /** replaces it by one with another world; undefined where there is no such scenario. @throws ContractError */
  open(wanted: OpenBody): Promise<SimStatus | undefined>
  /** the record is another by now, or not what this node has of it: this app is of no use any more */
  onStale(why: string): void
}

export type App = {
  /** ready, but listening nowhere */
  fastify: FastifyInstance
  /** where trackers connect */
  gateway: Gateway
  backbone: Backbone
  /** copies of what is kept, made when somebody asks */
  backups: Backups
  pretend: Pretend
  /** who plays on the world; undefined without one, and where another node leads */
  readonly director: Director | undefined
  /** resolves when what was before the record began is written down and judged, or is not going to be by this node */
  readonly past: Promise<void>
  close(): Promise<void>
}

/** What every node does: the record and those who follow it, REST and sockets, trackers; and leading, where it is to lead. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { env, ground, distDir, logger } = options
  const { cluster } = ground
  const pretend = options.pretend ?? (await openPretend({ ...env, turned: options.turned }))
  const { scenario, world } = pretend
  const identity = `${scenario.name}, seed ${world.seed}, ${world.size} devices`
  const clock = env.simulator ? pretend.clock : { now: () => Date.now() }
  const links = env.simulator ? createLinkFaults() : undefined
  const followed = links && followWorld({ cluster, clock: pretend.clock, links, identity })
  /** world index by device number */
  const indexes = new Map<number, number>()
  const opened: { store?: StoreWithPast } = {}
  const source: PastSource = {
    span: (no) => (indexes.has(no) ? { from: world.historyStart, to: pretend.liveFrom } : undefined),
    readings: (no, from, to) => {
      const readings = world.history(indexes.get(no) as number, from, to)
      readings.device.fill(no)
      return readings
    },
  }
  const backbone = await openBackbone({
    env,
    ground,
    clock,
    onStale: options.onStale,
    registration: registrationOf(pretend, env.simulator),
    wrapStore(store) {
      opened.store = withPast(store, source)
      return opened.store
    },
  })
  const { store, readModels, access, ingest } = backbone
  const known = (imei: string) => deviceByImei(readModels.directory, imei)
  const simulated = env.simulator ? world.registration.devices : []
  const numbers = Uint32Array.from(simulated, ({ imei }) => known(imei)?.no as number)
  for (const [index, no] of numbers.entries()) indexes.set(no, index)

  let duty: Duty<Leading> | undefined
  const leading = () => duty?.current()
  const backups = createBackups({ store, dataDir: env.dataDir, backupDir: env.backupDir })
  const readiness = createReadiness({
    store,
    readModels,
    leading,
    ground,
    otherWorld: () => followed?.other(),
  })
  const notifications = createNotificationIndex(store.log, readModels)
  const logHash = env.simulator ? createLogHash(store.log, readModels) : undefined
  const { files } = cluster
  const shelf = createShelf({ readModels, clock, files })
  const progress = createProgress(cluster, readModels.directory.reports)
  const publicUrl = publicUrlOf(env.publicUrl, options.address)
  const isProxy = createIsProxy(env.trustedProxies)

  const fastify = Fastify({ ...HTTP_OPTIONS, trustProxy: isProxy, logger })
  await registerHttp(fastify, {
    env: { ...env, publicUrl },
    store,
    readModels,
    notifications,
    access,
    reports: { progress: progress.of, file: shelf.file },
    clock,
    demoAccounts: demoAccountsOf(pretend),
    timeZone: scenario.timeZone,
    notReadyBecause: readiness.notReadyBecause,
    distDir,
    ...(links && { links }),
  })
  await fastify.register(ingestRoute, {
    prefix: '/api',
    ingest,
    clock,
    companies: () => readModels.directory.companies.values(),
    deviceByImei: known,
  })
  const delivery = await registerDelivery(fastify, {
    clock,
    readModels,
    log: store.log,
    verifyToken: access.verifyToken,
    see: createSeeing({ execute: access.execute, notifications, readModels }),
    ...(links && { links }),
    ...(env.simulator && { pace: () => ({ speed: pretend.clock.speed(), paused: pretend.clock.paused() }) }),
  })
  progress.onProgress(({ reportId, groupId }) =>
    delivery.hint({ subject: 'reports', id: reportId, groups: [groupId] }),
  )
  const gateway = createTeltonikaGateway({
    ingest,
    clock,
    deviceByImei: known,
    report: (error) => fastify.log.error(error),
  })
  const gate = { token: env.simToken, publicUrl, isProxy, nodes: cluster }
  const walks = createBrowserRuns(walkByScript(options.address))
  if (env.simulator) {
    await fastify.register(simPlugin, { ...gate, director: directorNow })
    await fastify.register(scenarioSchemaPlugin)
    await fastify.register(labPlugin, { ...gate, coverage: readEndToEnd, isKnown, runs: walks })
  }
  registerFigures(fastify.metrics, {
    dataDir: env.dataDir,
    backups: env.backupDir === undefined ? undefined : backups,
    head: store.log.head,
    ingest,
    gateway,
    delivery,
    readiness,
    leading,
    ground,
    world: env.simulator ? world : undefined,
  })

  const { reset, open, isPastLeft = false } = options
  const play = links &&
    logHash &&
    opened.store && {
      eachPastDay: opened.store.backfill,
      cluster,
      pretend,
      identity,
      numbers,
      links,
      logHash,
      isPastLeft,
      reset,
      open,
    }
  const reports = { files, progress, shelf }
  const { log } = fastify
  try {
    duty = await keepDuty({
      cluster,
      begin(over) {
        if (duty) log.warn({ term: cluster.lead()?.term }, 'this node leads from now on')
        return startLeading({ env, publicUrl, clock, backbone, reports, world: play, log }, over)
      },
      onError: (error) => log.error(error, 'this node is to lead, and cannot'),
    })
    await fastify.ready()
  } catch (error) {
    await close()
    throw error
  }
  return {
    fastify,
    gateway,
    backbone,
    backups,
    pretend,
    get director() {
      return leading()?.play?.director
    },
    get past() {
      return leading()?.play?.past ?? Promise.resolve()
    },
    close,
  }

  async function close(): Promise<void> {
    await duty?.stop()
    await walks.stop()
    await gateway.close()
    await fastify.close()
    progress.stop()
    followed?.stop()
    await backbone.close()
  }

  function directorNow(): Director {
    const director = leading()?.play?.director
    if (director === undefined)
      throw new ApiError(503, 'The device world is not up yet, try again shortly', {}, { 'retry-after': '1' })
    return director
  }
}
