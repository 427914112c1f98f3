import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { DIRECTIVES } from './headers.ts'

/** Where the reference of the API is, for people. */
export const API_REFERENCE = '/docs/api'

/** Its pages write markup and styles of their own making: neither Trusted Types nor hashes of styles are asked for there. */
const { requireTrustedTypesFor: _scripts, trustedTypes: _policies, ...others } = DIRECTIVES
const directives = { ...others, styleSrc: ["'self'", "'unsafe-inline'"] }

/** Without the bar of its maker, and narrow enough for a phone; its dark colours are its own. */
const LOOK = `
.swagger-ui .topbar { display: none }
body { margin: 0 }
.swagger-ui { overflow-wrap: anywhere }
.swagger-ui .opblock .opblock-summary-operation-id { flex-shrink: 0; font-size: 13px; overflow-wrap: normal; white-space: nowrap }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 8px }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-operation-id { display: none }
  .swagger-ui .scheme-container { padding: 12px 0 }
}
`

const REFERENCE: FastifySwaggerUiOptions = {
  routePrefix: API_REFERENCE,
  // ours stands (headers.ts)
  staticCSP: false,
  theme: {
    title: 'Frostline API',
    css: [{ filename: 'frostline.css', content: LOOK }],
  },
  uiConfig: {
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    filter: true,
    // its badge would ask a machine elsewhere
    validatorUrl: null,
    // a token that is typed here is gone with the page
    persistAuthorization: false,
    tryItOutEnabled: false,
  },
}

/**
 * The reference of the API, made in the browser of its description. Its files are of the package and served from here; nothing on
 * the page asks another machine, and but for `directives` it is under the same content policy as the portal.
 */
export async function serveApiReference(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_, reply) =>
      reply.helmet({ contentSecurityPolicy: { useDefaults: false, directives } }),
    )
    await scope.register(swaggerUi, REFERENCE)
  })
}
