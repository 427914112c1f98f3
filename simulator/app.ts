import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { OpenBody, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { type Backbone, openBackbone } from './backbone.ts'
import { type Backups, createBackups } from './backups.ts'
import type { Cluster } from './cluster/cluster.ts'
import { registerDelivery } from './delivery/delivery.ts'
import { createSeeing } from './delivery/seeing.ts'
import { createActions } from './directing/actions.ts'
import { faultsToldIn } from './directing/device-faults.ts'
import { createDirector, type Director } from './directing/director.ts'
import { createLinkFaults, type LinkFaults } from './directing/links.ts'
import { createPeople } from './directing/people.ts'
import { createScriptPlayer } from './directing/script-player.ts'
import type { Env } from './env.ts'
import { registerFigures } from './figures.ts'
import { labPlugin } from './http/lab.ts'
import { HTTP_OPTIONS, registerHttp } from './http/plugin.ts'
import { scenarioSchemaPlugin } from './http/scenario-schema.ts'
import { simPlugin } from './http/sim.ts'
import { ingestRoute } from './ingest/http-route.ts'
import { judgePast } from './ingest/past.ts'
import { createTeltonikaGateway, type Gateway } from './ingest/teltonika/gateway.ts'
import { createBrowserRuns, walkByScript } from './lab/browser-runs.ts'
import { readEndToEnd } from './lab/end-to-end.ts'
import { isKnown } from './lab/known.ts'
import { openOutgoing } from './outgoing.ts'
import { createLogHash } from './projecting/log-hash.ts'
import { createNotificationIndex } from './projecting/notification-index.ts'
import { createIsProxy } from './proxies.ts'
import { publicUrlOf } from './public-url.ts'
import { createReadiness } from './readiness.ts'
import { openDesk } from './reports/desk.ts'
import { createProgress } from './reports/progress.ts'
import { createShelf } from './reports/shelf.ts'
import { startScheduler } from './scheduling/scheduler.ts'
import { listenTo, openPretend, type Pretend } from './world/pretend.ts'
import { HISTORY_STEP } from './world/world.ts'

/** A world to listen to, for whoever exchanges apps: nobody else knows of worlds. */
export const openWorld = openPretend

export type AppOptions = {
  env: Env
  /** the other nodes; it outlives this app */
  cluster: Cluster
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
  /** who plays on the world; undefined without one */
  director: Director | undefined
  /** resolves when what was before the record began is written down and judged, or is not going to be */
  past: Promise<void>
  close(): Promise<void>
}

/** Fleets up to here have their whole past written down and judged behind; larger ones are asked when somebody looks. */
const MOST_BACKFILLED = 5_000
const WORLD_RETRY_MS = 5_000

/** The whole house without a port: the record and everybody who follows it, REST, sockets, and the pretend world. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { env, cluster, distDir, logger } = options
  const pretend = options.pretend ?? (await openPretend({ ...env, turned: options.turned }))
  const { scenario, world } = pretend
  const clock = env.simulator ? pretend.clock : { now: () => Date.now() }
  /** world index by device number */
  const indexes = new Map<number, number>()
  /** until when all the world sent is stored; a fast clock is ahead of that */
  let heardUntil = Number.POSITIVE_INFINITY
  const backbone = await openBackbone({
    env,
    clock,
    registration: registrationOf(pretend, env.simulator),
    heardUntil: () => heardUntil,
    history: {
      span: (no) => (indexes.has(no) ? { from: world.historyStart, to: pretend.liveFrom } : undefined),
      readings: (no, from, to) => {
        const readings = world.history(indexes.get(no) as number, from, to)
        readings.device.fill(no)
        return readings
      },
    },
  })
  const { store, readModels, access, ingest, judge } = backbone
  let isWorldRunning = true
  const readiness = createReadiness({ store, readModels, judge, isWorldRunning: () => isWorldRunning })
  const known = (imei: string) => deviceByImei(readModels.directory, imei)

  const notifications = createNotificationIndex(store.log, readModels)
  const links = env.simulator ? createLinkFaults() : undefined

  const { files } = cluster
  const shelf = createShelf({ readModels, clock, files })
  const progress = createProgress(cluster, readModels.directory.reports)
  const reports = openDesk({
    store,
    readModels,
    execute: access.execute,
    clock,
    files,
    progress,
    warn: (message) => fastify.log.warn(message),
  })
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
    roads: roadsOf(pretend),
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

  const outgoing = openOutgoing({
    env,
    publicUrl,
    store,
    readModels,
    links: access.links,
    reportLinks: access.reportLinks,
    reportFile: shelf.file,
    clock,
    warn: (message) => fastify.log.warn(message),
  })

  const backups = createBackups({ store, dataDir: env.dataDir, backupDir: env.backupDir })
  registerFigures(fastify.metrics, {
    dataDir: env.dataDir,
    backups: env.backupDir === undefined ? undefined : backups,
    head: store.log.head,
    judge,
    ingest,
    gateway,
    delivery,
    outgoing,
    readiness,
    world: env.simulator ? { messagesSent: world.messagesSent, isRunning: () => isWorldRunning } : undefined,
  })

  let past: Promise<void> = Promise.resolve()
  const scheduler = startScheduler({
    readModels,
    execute: access.execute,
    clock,
    warn: (message) => fastify.log.warn(message),
  })
  let director: Director | undefined
  const stopWorld = links ? await startWorld(links) : async () => {}
  // nobody was there to be told of what opened while the world came to its start
  outgoing.startAlerts()
  // what was before the start can be asked for from here on
  reports.begin()
  await fastify.ready()
  return {
    fastify,
    gateway,
    backbone,
    backups,
    pretend,
    director,
    past,
    async close() {
      await stopWorld()
      await gateway.close()
      await fastify.close()
      await scheduler.stop()
      await reports.stop()
      progress.stop()
      await outgoing.stop()
      await backbone.close()
    },
  }

  async function startWorld(links: LinkFaults): Promise<() => Promise<void>> {
    const logHash = createLogHash(store.log, readModels)
    const actions = createActions(store.log, pretend.clock)
    const people = createPeople(backbone, pretend.clock.now)
    const numbers = Uint32Array.from(world.registration.devices, ({ imei }) => known(imei)?.no as number)
    for (const [index, no] of numbers.entries()) indexes.set(no, index)
    let isLive = false
    let goingOn: ReturnType<typeof setTimeout> | undefined
    const run = await listenTo(pretend, {
      numbers,
      submit(readings) {
        const stored = ingest.submitWhenRoom(readings, 'world')
        // the world sends no more until this is stored: waiting for company would make it slow for nothing
        if (isLive) void ingest.flush()
        return stored
      },
      saved: store.checkpoints.load('world')?.bytes,
      save: (bytes) => store.checkpoints.save('world', store.log.head(), bytes),
      faults: faultsToldIn(store.log, world.faults()),
      script: createScriptPlayer({
        scenario,
        start: world.start,
        actions,
        people,
        links,
        clock: pretend.clock,
      }),
      onHeard: (until) => {
        heardUntil = until
      },
      // nothing is lost: what could not be stored is offered again
      onError(error) {
        fastify.log.error(error, 'the device world has stopped')
        isWorldRunning = false
        goingOn = setTimeout(() => {
          isWorldRunning = true
          run.start()
        }, WORLD_RETRY_MS)
      },
    })
    await backbone.settled()
    await logHash.caughtUp
    director = createDirector({
      ...pretend,
      token: env.simToken,
      publicUrl,
      isProxy,
      run,
      backbone,
      scheduler,
      outgoing,
      logHash,
      actions,
      people,
      links,
      reset: options.reset,
      open: options.open,
    })
    await fastify.register(simPlugin, director)
    await fastify.register(scenarioSchemaPlugin)
    const walks = createBrowserRuns(walkByScript(options.address))
    await fastify.register(labPlugin, {
      token: env.simToken,
      publicUrl,
      isProxy,
      coverage: readEndToEnd,
      isKnown,
      runs: walks,
    })
    isLive = true
    run.start()
    const stopping = new AbortController()
    if (options.isPastLeft !== true && numbers.length <= MOST_BACKFILLED)
      past = learnPast(numbers, stopping.signal)
    return async () => {
      stopping.abort()
      director?.stop()
      await walks.stop()
      links.stop()
      await past
      clearTimeout(goingOn)
      await run.stop()
    }
  }

  /** Writes down what was before the record began, and tells of the violations in it. */
  async function learnPast(devices: Uint32Array, signal: AbortSignal): Promise<void> {
    const span = { from: world.historyStart, to: pretend.liveFrom, spacing: HISTORY_STEP }
    try {
      await judgePast({ store, devices, ...span, signal })
    } catch (error) {
      fastify.log.error(error, 'the past is not written down')
    }
  }
}

/** Without a device world there are the people and the trackers, and nothing that pretends. */
function registrationOf({ scenario, world }: Pretend, isSimulated: boolean) {
  const { companies, users, password, devices, trackers } = world.registration
  return {
    companies,
    users,
    password,
    timeZone: scenario.timeZone,
    devices: [
      ...(isSimulated ? devices : []),
      ...trackers.map((tracker) => ({ ...tracker, source: 'tracker' as const })),
    ],
  }
}

const demoAccountsOf = ({ scenario }: Pretend) =>
  scenario.users
    .filter(({ note }) => note !== '')
    .map(({ userName, email, note }) => ({ userName, email, note, password: scenario.password }))

const roadsOf = ({ scenario }: Pretend) => ({
  type: 'FeatureCollection' as const,
  features: scenario.corridors.map(({ id, name, points }) => ({
    type: 'Feature' as const,
    properties: { id, name },
    geometry: { type: 'LineString' as const, coordinates: points.map(([lat, lng]) => [lng, lat]) },
  })),
})
