import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '#machines/contracts/clock.ts'
import { PROTOCOL } from '#machines/contracts/protocol.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { EventLog } from '../../store/store.ts'
import { GOOD_NETWORK, type Network } from '../network.ts'
import type { Hint } from './change-hints.ts'
import { LIVE_TIMES, type LiveTimes, serveLive } from './live.ts'
import { createLiveHub, HUB_LIMITS, type HubLimits, type Pace } from './live-hub.ts'
import type { MarkRead } from './mark-read.ts'
import { NOTIFICATION_LIMITS, type NotificationLimits } from './notification-limits.ts'
import { serveNotifications } from './notifications.ts'
import { followScopes } from './scopes.ts'
import { createSeats } from './seats.ts'
import { routePolling, routeUpgrades, SOCKET_IO_PATH, upgradeTarget } from './upgrade.ts'
import type { VerifyToken } from './visitor.ts'

export type DeliveryDeps = {
  clock: Clock
  readModels: ReadModels
  log: EventLog
  /** what the portal is called where it is reached from outside; undefined: nothing but the address that is called */
  publicUrl?: string | undefined
  /** refuses a token of a session that ended or a user who is gone */
  verifyToken: VerifyToken
  markRead: MarkRead
  /** how fast the server's clock runs, sent to the portal; real time where left out */
  pace?: () => Pace
  /** the network portals connect over; a good one where left out */
  network?: Network
  /** the version that is spoken; this release's where left out */
  protocol?: number
  /** links of each kind a user may have open on this node; any number where left out */
  seatsPerUser?: number
  /** for tests and benchmarks; the defaults are in live-hub.ts, live.ts and notifications.ts */
  limits?: Partial<HubLimits>
  times?: Partial<LiveTimes>
  notificationLimits?: Partial<NotificationLimits>
}

export type Delivery = {
  /** makes every portal come again and fetch its fleet anew, e.g. after the device world went back to its start */
  startOver(): void
  /** tells open screens of a change that is in no log */
  hint(hint: Hint): void
  /** how many are let in now */
  connections(): { live: number; notifications: number }
}

/**
 * Puts the sockets onto an app: `/live` (plain WebSocket) and the Socket.IO namespace `/notifications`.
 * Call before the app is ready; the sockets close with it.
 */
export async function registerDelivery(app: FastifyInstance, deps: DeliveryDeps): Promise<Delivery> {
  const { clock, readModels, log, verifyToken, network = GOOD_NETWORK, protocol = PROTOCOL } = deps
  const { seatsPerUser = Number.POSITIVE_INFINITY } = deps
  const liveUpgrades = upgradeTarget()
  const notificationUpgrades = upgradeTarget()
  await app.register(websocket, {
    options: { server: liveUpgrades, maxPayload: 8 * 1024, perMessageDeflate: false },
  })
  const scopes = followScopes(readModels)
  const hub = createLiveHub({
    clock,
    readModels,
    log,
    scopes,
    pace: deps.pace ?? (() => ({ speed: 1, paused: false })),
    limits: { ...HUB_LIMITS, ...deps.limits },
  })
  const notificationLimits = { ...NOTIFICATION_LIMITS, ...deps.notificationLimits }
  const live = serveLive(app, {
    clock,
    readModels,
    verifyToken,
    hub,
    network,
    seats: createSeats(seatsPerUser),
    times: { ...LIVE_TIMES, ...deps.times },
    mostStrangers: notificationLimits.strangers,
    protocol,
  })
  const notifications = serveNotifications(app, {
    clock,
    readModels,
    log,
    scopes,
    verifyToken,
    markRead: deps.markRead,
    network,
    seats: createSeats(seatsPerUser),
    server: notificationUpgrades,
    limits: notificationLimits,
    protocol,
  })
  const gate = { network, publicUrl: deps.publicUrl }
  routeUpgrades(app.server, { '/live': liveUpgrades, [SOCKET_IO_PATH]: notificationUpgrades }, gate)
  routePolling(app.server, notificationUpgrades, gate)
  app.addHook('onClose', async () => scopes.stop())
  return {
    startOver() {
      live.startOver()
      notifications.startOver()
    },
    hint: (hint) => hub.hint([hint]),
    connections: () => ({ live: live.connections(), notifications: notifications.connections() }),
  }
}
