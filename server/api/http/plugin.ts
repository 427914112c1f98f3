import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { BODY_BYTES, type Call } from '#machines/contracts/calls/call.ts'
import { CALLS } from '#machines/contracts/calls.ts'
import { networkOf } from '../../auth/attempts.ts'
import { adminRoutes } from './admin-routes.ts'
import { alarmHealthRoutes } from './alarm-health-routes.ts'
import { answersInFlightPlugin } from './answers-in-flight.ts'
import { serveApiReference } from './api-reference.ts'
import { asOfRoutes } from './as-of-routes.ts'
import { authRoutes } from './auth-routes.ts'
import { bodiesPlugin } from './bodies.ts'
import { buildHeaderPlugin } from './build-header.ts'
import { caseRoutes } from './case-routes.ts'
import { createCatchUp } from './catch-up.ts'
import { chartRoutes } from './chart-routes.ts'
import { compressionPlugin } from './compression.ts'
import type { HttpDeps } from './context.ts'
import { deviceKeyRoutes } from './device-key-routes.ts'
import { deviceRoutes } from './device-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { glanceRoutes } from './glance-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { headersPlugin } from './headers.ts'
import { imageRoutes } from './image-routes.ts'
import { limitsTrialRoutes } from './limits-trial-routes.ts'
import { loadListRoutes } from './load-list-routes.ts'
import { loadRoutes } from './load-routes.ts'
import { mailPage } from './mail-page.ts'
import { notificationRoutes } from './notification-routes.ts'
import { observationRoutes } from './observation-routes.ts'
import { createOnce } from './once.ts'
import { openapiPlugin } from './openapi.ts'
import { operationsPlugin } from './operations.ts'
import { passwordRoutes } from './password-routes.ts'
import { portalPlugin } from './portal.ts'
import { PRESSURE } from './pressure.ts'
import { profileRoutes } from './profile-routes.ts'
import { refusalsPlugin } from './refusals.ts'
import { registrationRoutes } from './registration-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { createAnswerCall } from './routes.ts'
import { scheduleRoutes } from './schedule-routes.ts'
import { sealRoutes } from './seal-routes.ts'
import { serverRoutes } from './server-routes.ts'
import { settingsRoutes } from './settings-routes.ts'
import { shareRoutes } from './share-routes.ts'
import { shiftRoutes } from './shift-routes.ts'
import { userRoutes } from './user-routes.ts'
import { viewRoutes } from './view-routes.ts'
import { violationRoutes } from './violation-routes.ts'
import { createVisibleScope } from './visible-scope.ts'

/** Bytes of the largest body that a call of the contract takes. */
export const LARGEST_BODY = Math.max(...Object.values<Call>(CALLS).map(({ bodyBytes = 0 }) => bodyBytes))

/** Ms a body may take to come, and bytes per ms it must bring beyond that: a telephone on a bad line sends 20 kB/s. */
export const BODY_PACE = { patience: 30_000, slowest: 20 }

/** What Fastify must be made with: it has no timeouts of its own, and tokens in paths are longer than it expects. */
export const HTTP_OPTIONS = {
  routerOptions: { maxParamLength: 1024 },
  // of what is no call of the contract; a call says how much it takes
  bodyLimit: BODY_BYTES,
  // the longest of all; who sends slower than they may is cut off by the front server before
  requestTimeout: BODY_PACE.patience + Math.ceil(LARGEST_BODY / BODY_PACE.slowest),
  connectionTimeout: 60_000,
  keepAliveTimeout: 72_000,
  forceCloseConnections: true,
  // refused before any route and its error handler: a path that cannot be decoded
  frameworkErrors: (error: FastifyError, _: FastifyRequest, reply: FastifyReply) => {
    const code = error.statusCode ?? 400
    reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'")
    return reply.code(code).send({ code, message: 'The address cannot be read' })
  },
} as const satisfies FastifyServerOptions

/**
 * All of REST on an app that does not listen yet: errors, headers, operations, the calls of the contract, the portal's files.
 * Plugins that answer further calls (ingest) are registered after it.
 */
export async function registerHttp(app: FastifyInstance, deps: HttpDeps): Promise<void> {
  await app.register(bodiesPlugin)
  await app.register(refusalsPlugin)
  await app.register(headersPlugin, { isSecure: deps.env.publicUrl?.startsWith('https:') ?? false })
  await app.register(buildHeaderPlugin, deps)
  deps.network?.onRequests(app)
  await app.register(answersInFlightPlugin)
  await app.register(compressionPlugin)
  await app.register(operationsPlugin, deps)
  await app.register(underPressure, PRESSURE)
  await app.register(rateLimit, { global: false, keyGenerator: ({ ip }) => networkOf(ip) })
  await app.register(openapiPlugin, deps.env)

  const visible = createVisibleScope(deps.readModels.directory)
  const answerCall = createAnswerCall(app, {
    visitorOf: deps.access.visitorOf,
    keyOf: deps.access.keyOf,
    directory: deps.readModels.directory,
    attempts: deps.access.attempts,
    knownDevices: deps.access.knownDevices,
    catchUp: createCatchUp({ log: deps.store.log, readModels: deps.readModels }),
    once: createOnce({ answers: deps.store.answers, clock: deps.clock }),
  })
  const context = { ...deps, app, answerCall, visible }
  authRoutes(context)
  passwordRoutes(context)
  adminRoutes(context)
  deviceKeyRoutes(context)
  groupRoutes(context)
  userRoutes(context)
  settingsRoutes(context)
  await imageRoutes(context)
  deviceRoutes(context)
  asOfRoutes(context)
  await registrationRoutes(context)
  observationRoutes(context)
  chartRoutes(context)
  notificationRoutes(context)
  caseRoutes(context)
  glanceRoutes(context)
  violationRoutes(context)
  reportRoutes(context)
  sealRoutes(context)
  scheduleRoutes(context)
  shareRoutes(context)
  shiftRoutes(context)
  alarmHealthRoutes(context)
  limitsTrialRoutes(context)
  viewRoutes(context)
  profileRoutes(context)
  loadRoutes(context)
  await loadListRoutes(context)
  await mailPage(context)
  serverRoutes(context)
  eventRoutes(context)
  await serveApiReference(app)
  await app.register(portalPlugin, deps)
}
