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
 * The styles that libraries put into our pages, each by the SHA-256 of its text: they are constants of theirs. Where a
 * new version writes another, the browser's console names its hash, and every journey fails until it stands here.
 */
const STYLES = [
  // react-aria-components: what can be pressed
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  // @observablehq/plot: the chart of a device's history
  "'sha256-jSYQUrW7J0b3jPqhZP9C2Xh1PyJKHKXd4s0fpGGKrww='",
  // sonner: messages in a corner; it puts the element in before its text
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
]

/**
 * What a browser may do with our pages. Text becomes markup or a script's address only through the portal's own policy
 * (`src/effects/trusted-types.ts`).
 */
export const DIRECTIVES = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  workerSrc: ["'self'"],
  connectSrc: ["'self'"],
  styleSrc: ["'self'", ...STYLES],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  mediaSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  objectSrc: ["'none'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ['default'],
}

/** `isSecure`: the portal is reached over https. */
async function headers(app: FastifyInstance, { isSecure }: Options): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('permissions-policy', PERMISSIONS)
  })
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
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
