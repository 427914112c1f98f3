/** Where a database is: one or several servers of which one takes writes, and the rest of the address for the client. */
export type DatabaseAddress = {
  hosts: { host: string; port: number }[]
  /** the address with its first server only, as the client library reads it */
  url: string
}

const DEFAULT_PORT = 5432
/** What a house needs is a server that takes writes, whatever the word for it. */
const WRITABLE = new Set(['primary', 'read-write', 'any'])

/**
 * Reads `postgres://user:password@host1:5432,host2:5433/name?target_session_attrs=primary`, which `URL` refuses for its
 * several hosts. Undefined for what is no such address, or asks for a server that takes no writes.
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
  if (first === undefined || !WRITABLE.has(first.searchParams.get('target_session_attrs') ?? 'primary'))
    return undefined
  first.searchParams.delete('target_session_attrs')
  return { hosts, url: first.href }
}
