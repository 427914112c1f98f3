import type { FastifyLoggerOptions } from 'fastify'
import type { DestinationStream, LoggerOptions } from 'pino'

type Logging = LoggerOptions & FastifyLoggerOptions & { stream?: DestinationStream }

/** Fields that hold what nobody may read in a log, wherever they turn up. */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'refreshToken',
  '["x-device-key"]',
  '["x-sim-token"]',
]
const at = (depth: string) =>
  SECRETS.map((name) => (name.startsWith('[') ? `${depth}${name}` : `${depth}.${name}`))

/** Of a request only its method and route are logged: no headers, no body, no query, no link's token. */
export function loggerOptions(level: string, stream?: DestinationStream): Logging {
  return {
    level,
    ...(stream && { stream }),
    redact: { paths: [...SECRETS, ...at('*'), ...at('*.*'), ...at('*.*.*')], censor: '[secret]' },
    serializers: {
      req: ({ method, url, ip }) => ({ method, url: withoutSecrets(url), remoteAddress: ip }),
    },
  }
}

/** Sessions are refreshed with a token in the query, links have theirs in the path: both are as good as a password. */
export function withoutSecrets(url: string): string {
  const [path = ''] = url.split('?', 1)
  const shown = path.replaceAll(/[^/]{24,}/g, '[secret]')
  return path.length < url.length ? `${shown}?…` : shown
}
