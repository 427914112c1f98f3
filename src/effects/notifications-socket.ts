import { io, type Socket } from 'socket.io-client'
import { decode } from '#machines/contracts/decode.ts'
import { OUTDATED, PROTOCOL } from '#machines/contracts/protocol.ts'
import {
  CROWDED,
  type HandshakeAuth,
  type LogMark,
  NOTIFICATIONS_NAMESPACE,
  SERVER_EVENTS,
  type ServerEvents,
} from '#machines/contracts/sockets.ts'
import { userOf } from './token-claims.ts'
import type { Hear } from './wire-tap.ts'

export type NotificationsOptions = {
  /** origin of the server, '' for the page's own */
  baseUrl: string
  /** tokens good for now; undefined: nobody is signed in */
  credentials(): Promise<{ accessToken: string; refreshToken: string } | undefined>
  /** the last `facts` or `snapshot` dealt with, or the position of what is shown; undefined: nothing yet */
  after(): number | undefined
  /** the last that `facts` named, of the log that `after` is a position of */
  mark(): LogMark | undefined
  /** this window is older than the server: it is not tried again */
  onOutdated(): void
  /** the server let us in, or why it did not: nothing comes, or the user has too many windows open */
  onLink(hindrance: 'no-answer' | 'crowded' | undefined): void
  /** looks at what goes over it; what is said to be let in is no part of that */
  hear?: Hear
} & { [E in keyof ServerEvents as `on${Capitalize<E>}`]: (message: ServerEvents[E]) => void }

export type NotificationsSocket = {
  /** somebody has seen all notifications up to a position; said as soon as there is a link */
  see(userId: string, upTo: number): void
  /** tries again now, where there is no link */
  retry(): void
  /** for good */
  close(): void
}

/** ms before a link that the server ended or refused is tried again: longer than for one that was cut. */
const AFTER_REFUSAL = 5000
/** The same where this user has too many windows open: somebody has to close some. */
const AFTER_CROWDED = 300_000

/**
 * Opens the namespace `/notifications` and keeps it open: a link that is cut comes back by itself, and says from where it
 * goes on.
 */
export function openNotifications(options: NotificationsOptions): NotificationsSocket {
  let seen: { userId: string; upTo: number } | undefined
  /** whose token was shown last */
  let userId: string | undefined
  const socket = io(`${options.baseUrl}${NOTIFICATIONS_NAMESPACE}`, {
    transports: ['websocket'],
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
    auth: (answer) => void handshake().then(answer),
  })
  let again: ReturnType<typeof setTimeout> | undefined
  const comeAgain = (after = AFTER_REFUSAL) => {
    clearTimeout(again)
    again = setTimeout(() => socket.connect(), after)
  }
  const close = () => {
    clearTimeout(again)
    socket.disconnect()
  }
  // What the server ends or refuses the library does not try again by itself.
  socket.on('disconnect', (reason) => {
    options.onLink('no-answer')
    // who comes again is told only of those that still are
    options.onCatchingUp({ isWhole: true, devices: [] })
    if (reason === 'io server disconnect') comeAgain()
  })
  socket.on('connect_error', ({ message }) => {
    const isCrowded = message === CROWDED
    if (message === OUTDATED) return options.onOutdated()
    options.onLink(isCrowded ? 'crowded' : 'no-answer')
    if (!socket.active) comeAgain(isCrowded ? AFTER_CROWDED : AFTER_REFUSAL)
  })
  const follow = <E extends keyof ServerEvents>(
    event: E,
    notify: (message: ServerEvents[E]) => void,
  ): void => {
    socket.on(event as string, (message: unknown) =>
      notify(decode<unknown, unknown>(message, SERVER_EVENTS[event] as never, event) as ServerEvents[E]),
    )
  }
  if (options.hear) overhear(socket, options.hear)
  // A link may have been cut before it was heard: said again, it changes nothing.
  const sendSeen = () => {
    if (socket.connected && seen !== undefined) socket.emit('seeNotifications', seen)
  }
  socket.on('connect', () => {
    options.onLink(undefined)
    // the server has put us there by our token; the documents' clients say it all the same
    if (userId !== undefined) socket.emit('room', { userId })
    sendSeen()
  })
  follow('facts', options.onFacts)
  follow('snapshot', options.onSnapshot)
  follow('notification', options.onNotification)
  follow('vehicleStatusChanged', options.onVehicleStatusChanged)
  follow('logout', options.onLogout)
  follow('catchingUp', options.onCatchingUp)

  async function handshake(): Promise<HandshakeAuth | object> {
    const credentials = await options.credentials().catch(() => undefined)
    userId = credentials && userOf(credentials.accessToken)
    if (credentials === undefined) return {}
    const { accessToken: token, refreshToken } = credentials
    const [after, mark] = [options.after(), options.mark()]
    return {
      ...{ token, refreshToken, protocol: PROTOCOL },
      ...(after !== undefined && { after }),
      ...(mark !== undefined && { mark }),
    }
  }

  return {
    see(whose, upTo) {
      seen = { userId: whose, upTo }
      sendSeen()
    },
    retry() {
      if (socket.connected) return
      // the library's own next try is given up: it would be waited for
      close()
      socket.connect()
    },
    close,
  }
}

function overhear(socket: Socket, hear: Hear): void {
  const wire = 'notifications'
  socket.on('connect', () => hear({ wire, isOpen: true, reason: '' }))
  socket.on('disconnect', (reason) => hear({ wire, isOpen: false, reason }))
  socket.onAny((name: string, data: unknown) => hear({ wire, way: 'in', name, data }))
  socket.onAnyOutgoing((name: string, data: unknown) => hear({ wire, way: 'out', name, data }))
}
