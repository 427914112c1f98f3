import { io } from 'socket.io-client'
import { decode } from '#machines/contracts/decode.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { NOTIFICATIONS_NAMESPACE, SERVER_EVENTS } from '#machines/contracts/sockets.ts'

/** Somebody who hears of each thing that happens, and keeps up. */
export type Listener = {
  /** messages that left some out */
  gaps(): number
  leave(): void
}

/**
 * @param hear called with each notification, and how long after it happened it came, ms
 * @param onLet called when the server let them in and said from where they are told
 */
export function listenTo(
  address: string,
  token: string,
  hear: (notification: Notification, after: number) => void,
  onLet?: () => void,
): Listener {
  let known: number | undefined
  let gaps = 0
  const socket = io(`${address}${NOTIFICATIONS_NAMESPACE}`, {
    transports: ['websocket'],
    forceNew: true,
    auth: { token },
  })
  socket.on('notification', (message: unknown) => {
    const notification = decode(message, SERVER_EVENTS.notification, 'notification')
    hear(notification, Date.now() - Date.parse(notification.createdAt))
  })
  socket.on('facts', (message: unknown) => {
    const { prevSeq, seq } = decode(message, SERVER_EVENTS.facts, 'facts')
    if (known === undefined) onLet?.()
    else if (prevSeq > known) gaps++
    known = Math.max(known ?? 0, seq)
  })
  return { gaps: () => gaps, leave: () => void socket.disconnect() }
}
