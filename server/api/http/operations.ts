import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { createIsProxy, type IsProxy, isAtThisMachine } from '../../config/proxies.ts'
import { gaugesOf } from '../../metrics/gauges.ts'
import type { DamagedPart } from '../../store/damage.ts'
import type { HttpDeps } from './context.ts'

/** For who watches the server: not in its log, and not behind what others request. */
const OPTIONS = { logLevel: 'silent', config: { neverWaits: true } } as const

type Options = Pick<HttpDeps, 'env' | 'store' | 'readModels' | 'notReadyBecause'>

declare module 'fastify' {
  interface FastifyInstance {
    /** what `/metrics` shows; others add theirs */
    metrics: Registry
  }
}

/** For whoever runs the server: is it alive, is it ready, how does it do. */
async function operations(
  app: FastifyInstance,
  { env, store, readModels, notReadyBecause }: Options,
): Promise<void> {
  const registry = new Registry()
  app.decorate('metrics', registry)
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const isProxy = createIsProxy(env.trustedProxies)
  const gauge = gaugesOf(registry)
  gauge('log_head', 'Last number of the log', () => store.log.head())
  gauge(
    'read_models_lag',
    'Records the read models are behind the log',
    () => store.log.head() - readModels.seq,
  )
  gauge('devices', 'Devices registered', () => readModels.directory.devices.length)

  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const labels = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode }
    duration.observe(labels, reply.elapsedTime / 1000)
  })

  app.get('/healthz', OPTIONS, async () => ({ status: 'ok' }))
  app.get('/readyz', OPTIONS, async (_, reply) => {
    const reason = notReadyBecause()
    if (reason === undefined) return { status: 'ready', ...degraded(store.damage.list()) }
    return reply
      .code(503)
      .header('retry-after', '1')
      .send({ code: 503, message: `Not ready: ${reason}` })
  })
  app.get('/metrics', OPTIONS, async (request, reply) => {
    if (!mayWatch(request, env, isProxy)) return reply.callNotFound()
    reply.type(registry.contentType)
    return registry.metrics()
  })
}

/**
 * Figures tell how many companies and devices there are: where strangers come near, by the network or by a proxy on this machine,
 * whoever watches shows a token.
 */
function mayWatch(
  request: FastifyRequest,
  { host, metricsToken }: Options['env'],
  isProxy: IsProxy,
): boolean {
  if (metricsToken === undefined) return isLoopback(host) && isAtThisMachine(request, isProxy)
  const { headers } = request
  const [given, right] = [headers.authorization ?? '', `Bearer ${metricsToken}`].map(digest) as [
    Buffer,
    Buffer,
  ]
  return timingSafeEqual(given, right)
}

/** Damage is reported and does not make it not ready: all other devices and days are answered. No names, for strangers may ask. */
function degraded(parts: readonly DamagedPart[]): { degraded?: string[] } {
  if (parts.length === 0) return {}
  const byTable = Map.groupBy(parts, ({ table }) => table)
  return {
    degraded: Array.from(
      byTable,
      ([table, of]) => `${of.length} damaged in ${table}: see the log, or npm run admin verify`,
    ),
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

export const operationsPlugin = fp(operations, { name: 'operations', fastify: '5.x' })
