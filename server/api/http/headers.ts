import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

type Options = { isSecure: boolean }

/** What the portal has no use for, so that nothing that might get into it has either. */
const NOT_ALLOWED = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const PERMISSIONS = NOT_ALLOWED.map((feature) => `${feature}=()`).join(', ')

/**
 * What a browser may do with our pages. Styles may be inline, because charts, kit and toasts insert `<style>`; nothing
 * else may. `isSecure`: the portal is reached over https.
 */
async function headers(app: FastifyInstance, { isSecure }: Options): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('permissions-policy', PERMISSIONS)
  })
  const self = ["'self'"]
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: self,
        workerSrc: self,
        connectSrc: self,
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: self,
        mediaSrc: self,
        manifestSrc: self,
        formAction: self,
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    // for browsers that do not know frame-ancestors
    frameguard: { action: 'deny' },
    // plain http on a local network has no origin isolation to speak of: browsers warn and ignore the header
    crossOriginOpenerPolicy: isSecure,
    originAgentCluster: isSecure,
  })
}

export const headersPlugin = fp(headers, { name: 'headers', fastify: '5.x' })
