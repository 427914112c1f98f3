import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Scenario } from '#machines/contracts/scenario.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { type Backbone, openBackbone } from './backbone.ts'
import { registerDelivery } from './delivery/delivery.ts'
import type { Env } from './env.ts'
import { HTTP_OPTIONS, registerHttp } from './http/plugin.ts'
import { ingestRoute } from './ingest/http-route.ts'
import { createTeltonikaGateway, type Gateway } from './ingest/teltonika/gateway.ts'
import { loadScenario } from './world/load-scenario.ts'
import { createWorld } from './world/world.ts'

export type AppOptions = {
  env: Env
  /** directory of the built portal; may come to be later */
  distDir: string
  logger: NonNullable<FastifyServerOptions['logger']>
}

export type App = {
  /** ready, but listening nowhere */
  fastify: FastifyInstance
  /** where trackers connect */
  gateway: Gateway
  backbone: Backbone
  close(): Promise<void>
}

/** The whole house without a port: the record and everybody who follows it, REST, sockets, and the pretend world. */
export async function buildApp({ env, distDir, logger }: AppOptions): Promise<App> {
  const scenario = await loadScenario(env.scenario)
  const world = createWorld(scenario, {
    ...(env.seed !== undefined && { seed: env.seed }),
    ...(env.devices !== undefined && { devices: env.devices }),
  })
  const zero = Date.now()
  const clock = { now: () => world.start + (Date.now() - zero) * env.simSpeed }
  const liveFrom = world.start - 900_000
  const backbone = await openBackbone({
    env,
    clock,
    registration: {
      ...world.registration,
      timeZone: scenario.timeZone,
      devices: [
        ...world.registration.devices,
        ...world.registration.trackers.map((t) => ({ ...t, source: 'tracker' as const })),
      ],
    },
    history: {
      span: (device) => (device < world.size ? { from: world.historyStart, to: liveFrom } : undefined),
      readings: (device, from, to) => world.history(device, from, to),
    },
  })
  const { store, readModels, access, ingest } = backbone

  const known = (imei: string) => deviceByImei(readModels.directory, imei)

  const fastify = Fastify({ ...HTTP_OPTIONS, logger })
  await registerHttp(fastify, {
    env,
    store,
    readModels,
    access,
    clock,
    demoAccounts: scenario.users
      .filter((user) => user.note !== '')
      .map(({ userName, email, note }) => ({ userName, email, note, password: scenario.password })),
    roads: roadsOf(scenario),
    timeZone: scenario.timeZone,
    isReady: () => true,
    distDir,
  })
  await fastify.register(ingestRoute, {
    prefix: '/api',
    ingest,
    clock,
    companies: () => readModels.directory.companies.values(),
    deviceByImei: known,
  })
  const gateway = createTeltonikaGateway({
    ingest,
    clock,
    deviceByImei: known,
    report: (error) => fastify.log.error(error),
  })
  await registerDelivery(fastify, { clock, readModels, log: store.log, verifyToken: access.verifyToken })

  const timer = setInterval(async () => {
    const { readings } = world.advance(clock.now())
    if (readings.length > 0) await ingest.submitWhenRoom(readings, 'world')
  }, 200)
  return {
    fastify,
    gateway,
    backbone,
    async close() {
      clearInterval(timer)
      await gateway.close()
      await fastify.close()
      await backbone.close()
    },
  }
}

function roadsOf({ corridors }: Scenario) {
  return {
    type: 'FeatureCollection' as const,
    features: corridors.map(({ id, name, points }) => ({
      type: 'Feature' as const,
      properties: { id, name, ref: id },
      geometry: { type: 'LineString' as const, coordinates: points.map(([lat, lng]) => [lng, lat]) },
    })),
  }
}
