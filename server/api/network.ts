import type { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** The way of what is published on one socket. */
export type Lane = {
  /** Arrives now, later, or after the next. `keepsPlace`: it has no position in the log, so nobody could put it right. */
  send(deliver: () => void, keepsPlace?: boolean): void
  /** lets arrive what is due. `now`: monotonic ms */
  move(now: number): void
  /** all that is under way arrives, in order */
  flush(): void
  /** nothing more arrives */
  close(): void
}

/** The network portals call over. Whoever injects faults gives another than the good one. */
export type Network = {
  /** whether upgraded connections are cut now */
  readonly isCut: boolean
  /** an upgraded connection, or a response that is waited for: cut when the network is */
  follow(socket: Writable): void
  lane(): Lane
  /** puts onto an app whatever delays, fails or cuts its requests; called before there are routes */
  onRequests(app: FastifyInstance): void
}

/** A network without faults. */
export const GOOD_NETWORK: Network = {
  isCut: false,
  follow: () => {},
  lane: () => ({ send: (deliver) => deliver(), move: () => {}, flush: () => {}, close: () => {} }),
  onRequests: () => {},
}
