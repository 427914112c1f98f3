/** Where a database is: one or several servers of which one takes writes, and the rest of the address for the client. */
export type DatabaseAddress = {
  hosts: { host: string; port: number }[]
  /** the address with its first server only and without what is said here, as the client library reads it */
  url: string
  /** as libpq has it; `authority`: file of the certificates that are trusted, where they are not the system's */
  tls: { mode: TlsMode; authority: string | undefined }
}

const TLS_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type TlsMode = (typeof TLS_MODES)[number]

const DEFAULT_PORT = 5432
/** What a server needs is a server that takes writes, whatever the word for it. */
const WRITABLE = new Set(['primary', 'read-write', 'any'])

/**
 * Reads `postgres://user:password@host1:5432,host2:5433/name?target_session_attrs=primary`, which `URL` refuses for its
 * several hosts; `sslmode` and `sslrootcert` as libpq has them. Undefined for what is no such address, or asks for a server that
 * takes no writes.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress | undefined {
  const [, start, servers, rest] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)([/?].*)?$/.exec(text) ?? []
  if (start === undefined || servers === undefined) return undefined
  const hosts: DatabaseAddress['hosts'] = []
  let first: URL | undefined
  for (const server of servers.split(',')) {
    const one = `${start}${server}${rest ?? '/'}`
    if (server === '' || !URL.canParse(one)) return undefined
    const url = new URL(one)
    if (url.hostname === '') return undefined
    first ??= url
    hosts.push({
      host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    })
  }
  if (first === undefined) return undefined
  const { searchParams } = first
  const wanted = searchParams.get('sslmode') ?? 'disable'
  const mode = TLS_MODES.find((known) => known === wanted)
  const authority = searchParams.get('sslrootcert') ?? undefined
  if (mode === undefined || !WRITABLE.has(searchParams.get('target_session_attrs') ?? 'primary'))
    return undefined
  for (const name of ['target_session_attrs', 'sslmode', 'sslrootcert']) searchParams.delete(name)
  return { hosts, url: first.href, tls: { mode, authority } }
}
