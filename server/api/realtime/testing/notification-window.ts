import { io, type Socket } from 'socket.io-client'
import type { WebSocket } from 'ws'
import { decode } from '#machines/contracts/decode.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { PublicFact } from '#machines/contracts/public-facts.ts'
import { NOTIFICATIONS_NAMESPACE, SERVER_EVENTS, type ServerEvents } from '#machines/contracts/sockets.ts'
import { isChanging, seqOf, withChanges } from '#machines/notification-feed/entries.ts'

type Listed = { notifications: Notification[]; unread: number; seq: number }
export type WindowOptions = {
  /** of the server, e.g. `http://127.0.0.1:4000` */
  address: string
  token: string
  userId: string
  /** asks for the whole list */
  list(): Promise<Listed>
  /** after each event that was taken in: whether the link is cut there */
  isCut?(): boolean
  /** takes what comes for what it should be: decoding for hundreds of windows is more work than telling them */
  isTrusting?: boolean
}

/**
 * The list of notifications of one who is signed in, kept the plainest way there is: requested once, then live. It
 * outlives the links that bring it.
 */
export class NotificationWindow {
  readonly notifications = new Map<string, Notification>()
  unread = 0
  /** links that ended, and how often the server said to ask anew */
  cuts = 0
  startedOver = 0
  /** notifications that came although they had been sent with all their facts, and messages that left some out */
  twice = 0
  gaps = 0
  private readonly options: WindowOptions
  private socket: Socket | undefined
  /** the last `facts` taken in: all up to there is */
  after = 0
  private request: Promise<void> = Promise.resolve()
  private readonly waiting = new Set<{ condition: () => boolean; resolve: () => void }>()

  constructor(options: WindowOptions) {
    this.options = options
  }

  /** asks for the list, and takes it for what there is */
  async load(): Promise<void> {
    const { notifications, unread, seq } = await this.options.list()
    const newer = [...this.notifications.values()].filter((each) => seqOf(each) > seq)
    this.notifications.clear()
    for (const each of [...notifications, ...newer]) this.notifications.set(each._id, each)
    this.unread = unread + newer.length
    this.after = Math.max(this.after, seq)
  }

  connect(): void {
    const { address, token } = this.options
    const socket = io(`${address}${NOTIFICATIONS_NAMESPACE}`, {
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth: { token, after: this.after },
    })
    this.socket = socket
    const hear = <E extends keyof ServerEvents>(event: E, take: (message: ServerEvents[E]) => void): void => {
      socket.on(event as string, (message: unknown) => {
        // what was on its way when the link was cut never arrives
        if (this.socket !== socket) return
        const struct = SERVER_EVENTS[event] as never
        const decoded =
          this.options.isTrusting === true ? message : decode<unknown, unknown>(message, struct, event)
        take(decoded as ServerEvents[E])
        if (this.options.isCut?.() === true) this.cut()
        this.look()
      })
    }
    hear('notification', (message) => this.takeNotification(message))
    hear('facts', (message) => this.takeFacts(message))
    hear('snapshot', ({ seq }) => {
      this.startedOver++
      this.after = Math.max(this.after, seq)
      this.request = this.load()
    })
  }

  /** The link ends here, and another begins. */
  cut(): void {
    this.leave()
    this.cuts++
    this.connect()
  }

  leave(): void {
    const { socket } = this
    this.socket = undefined
    socket?.disconnect()
  }

  /** Takes nothing more from the link, as a machine does that sleeps; answers how to wake it. */
  stopReading(): () => void {
    if (this.socket === undefined) throw new Error('there is no link')
    // under Node the transport is a socket of `ws`, which the types of a browser's client do not know
    const { ws } = this.socket.io.engine.transport as unknown as { ws: WebSocket }
    ws.pause()
    return () => ws.resume()
  }

  /** Looks at all there is. */
  see(): void {
    this.socket?.emit('seeNotifications', { userId: this.options.userId, upTo: this.after })
  }

  /** Resolves when the condition holds, looked at after every event. */
  async until(condition: () => boolean): Promise<void> {
    await this.request
    await new Promise<void>((resolve) => {
      this.waiting.add({ condition, resolve })
      this.look()
    })
    await this.request
  }

  private look(): void {
    for (const waiter of this.waiting)
      if (waiter.condition()) {
        this.waiting.delete(waiter)
        waiter.resolve()
      }
  }

  private takeNotification({ seq, ...notification }: ServerEvents['notification']): void {
    if (seq <= this.after) this.twice++
    else if (!this.notifications.has(notification._id)) {
      this.notifications.set(notification._id, notification)
      this.unread++
    }
  }

  private takeFacts({ prevSeq, seq, facts }: ServerEvents['facts']): void {
    if (prevSeq > this.after) this.gaps++
    for (const fact of facts) if (fact.seq > this.after) this.takeFact(fact)
    this.after = Math.max(this.after, seq)
  }

  private takeFact(fact: PublicFact): void {
    if (isChanging(fact)) {
      for (const [id, each] of this.notifications) this.notifications.set(id, withChanges(each, [fact]))
    } else if (fact.type === 'notifications.seen') {
      const { userId, upTo } = fact.data
      if (userId !== this.options.userId) throw new Error('somebody else was sent what one has seen')
      this.unread = [...this.notifications.values()].filter((each) => seqOf(each) > upTo).length
    }
  }
}
