import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { type IsProxy, isAtThisMachine, NO_PROXY, refused } from '../../server/ports.ts'
import { isNode, type Nodes } from './forward-to-leader.ts'

export type SimGate = {
  /** needed in `x-sim-token` from anywhere but loopback; without it only loopback is answered */
  token: string | undefined
  /** what the server is called where it is reached from outside, e.g. `https://cold.example` */
  publicUrl?: string | undefined
  /** whoever comes by one of these is not at this machine, wherever the proxy is */
  isProxy?: IsProxy
  /** the other nodes: calls are passed on to the one that leads; none where left out */
  nodes?: Nodes | undefined
}

/**
 * Who plays on the world: whoever sits at its machine or has its token, and no page of another origin that they happen to
 * visit. Callers without a browser say neither `Origin` nor `Sec-Fetch-Site`, and pass.
 */
export function simGate({
  token,
  publicUrl,
  isProxy = NO_PROXY,
  nodes,
}: SimGate): (request: FastifyRequest) => Promise<void> {
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host
  return async (request) => {
    if (nodes && isNode(request, nodes)) return
    if (isForeignPage(request)) throw refused(403, 'The device world is not controlled from other pages')
    const hasToken = token !== undefined && request.headers['x-sim-token'] === token
    // a foreign name that leads to this machine is another origin in disguise
    const isHere = isAtThisMachine(request, isProxy) && isOurName(request.headers.host, publicHost)
    if (!hasToken && !isHere)
      throw refused(403, 'The device world is controlled from this machine, or with its token')
  }
}

function isForeignPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin, host } = headers
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)
}

function isOurName(host: string | undefined, publicHost: string | undefined): boolean {
  if (host === undefined || host === publicHost) return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  )
}
