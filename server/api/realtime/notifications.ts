import type { Server as HttpServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Namespace, type Socket, Server as SocketServer } from 'socket.io'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import {
  type ClientEvents,
  HandshakeAuth,
  isPublicFact,
  NOTIFICATIONS_NAMESPACE,
  PUBLIC_FACT_TYPES,
  type PublicFact,
  type ServerEvents,
} from '#machines/contracts/sockets.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import type { Lane } from '../../../simulator/network/lane.ts'
import type { Links } from '../../../simulator/network/network-faults.ts'
import { notificationOf } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { EventLog } from '../../store/store.ts'
import { decodeSeen, type MarkRead } from './mark-read.ts'
import type { NotificationLimits } from './notification-limits.ts'
import { roomAnswer } from './room.ts'
import { changesScopes, concerns, type Scope, type Scopes, seesTheSame } from './scopes.ts'
import { endedBy, type VerifyToken, type Visitor } from './visitor.ts'

type Person = { visitor: Visitor; refreshToken: string | null; after: number | undefined }
type NotificationEvents = { [E in keyof ServerEvents]: (message: ServerEvents[E]) => void }
type Said = { [E in keyof ClientEvents]: (message: unknown, answer?: unknown) => void }
type Listener = Socket<Said, NotificationEvents, Record<string, never>, { person: Person }>

type Member = Person & {
  socket: Listener
  lane: Lane
  scope: Scope
  /** facts up to here are told or do not concern them */
  reached: number
  /** `seq` of the last `facts` event */
  told: number
  toldAt: number
  stuckSince: number | undefined
}

type Deps = {
  clock: Clock
  readModels: ReadModels
  log: EventLog
  scopes: Scopes
  verifyToken: VerifyToken
  markRead: MarkRead
  links: Pick<Links, 'lane'>
  /** where upgrades and polls of this namespace are heard */
  server: HttpServer
  limits: NotificationLimits
}

/**
 * The namespace `/notifications`. Nothing is queued for a client: each has a position in the log, and whoever is behind
 * it, because they were away or are slow, reads on from there.
 */
export function serveNotifications(app: FastifyInstance, deps: Deps): { startOver(): void; links(): number } {
  const { clock, readModels, log, scopes, verifyToken, markRead, links, server, limits } = deps
  let isClosing = false
  const io = new SocketServer(server, {
    // the portal upgrades at once; a client with the defaults of its library polls before
    transports: ['websocket', 'polling'],
    addTrailingSlash: false,
    serveClient: false,
    destroyUpgrade: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: 16 * 1024,
    connectTimeout: limits.patience,
    allowRequest: (_, answer) => {
      const strangers = io.engine.clientsCount - namespace.sockets.size
      const isFull = isClosing || strangers >= limits.strangers
      answer(isFull ? 'Not available now, try again shortly' : null, !isFull)
    },
    // who takes nothing is gone within ten seconds, and comes again from where they were
    pingInterval: 4000,
    pingTimeout: 6000,
  })
  const namespace: Namespace<Said, NotificationEvents, Record<string, never>, { person: Person }> = io.of(
    NOTIFICATIONS_NAMESPACE,
  )
  const members = new Set<Member>()

  // Nothing is said outside of the namespace: who stays there would be a link that nobody let in.
  io.use((_, next) => next(new Error('nothing is said here')))
  namespace.use((socket, next) => {
    admit(socket.handshake.auth)
      .then((person) => {
        socket.data.person = person
        next()
      })
      .catch((error: unknown) => next(error instanceof Error ? error : new Error('refused')))
  })

  async function admit(handshake: unknown): Promise<Person> {
    const { token, refreshToken = null, after } = decode(handshake, HandshakeAuth, 'handshake')
    const visitor = await verifyToken(token)
    if (visitor === undefined || visitor.expiresAt <= clock.now()) throw new Error('token refused')
    if (readModels.directory.companies.get(visitor.companyId)?.suspended === true)
      throw new Error('company suspended')
    return { visitor, refreshToken, after }
  }

  namespace.on('connection', (socket) => {
    const { person } = socket.data
    const member: Member = {
      ...person,
      socket,
      lane: links.lane(),
      scope: scopes.hold(person.visitor.groupId),
      reached: readModels.seq,
      told: readModels.seq,
      toldAt: performance.now(),
      stuckSince: undefined,
    }
    members.add(member)
    socket.on('disconnect', () => {
      member.lane.close()
      leave(member)
    })
    socket.on('seeNotifications', (message) => void noteSeen(member, message))
    socket.on('room', (message, answer) => {
      if (typeof answer === 'function') answer(roomAnswer(message, person.visitor.userId))
    })
    const { after } = person
    // Said at once, so that the client knows from where it can come again.
    if (after === undefined) tell(member, readModels.seq, [])
    else if (!canTell(member, after)) startOver(member)
    else {
      member.reached = after
      member.told = after
      catchUp(member, performance.now())
    }
  })

  function canTell({ visitor }: Member, after: number): boolean {
    if (!seesTheSame(log, readModels.seq, after, visitor)) return false
    return (
      log.readFacts(after, { types: [...PUBLIC_FACT_TYPES], limit: limits.missed }).length < limits.missed
    )
  }

  function leave(member: Member): void {
    if (members.delete(member)) scopes.release(member.scope)
  }

  /** What a client says it has seen, as far as it was told. Nonsense and a foreign id are passed over. */
  async function noteSeen(member: Member, message: unknown): Promise<void> {
    const { userId, upTo = member.reached } = decodeSeen(message) ?? {}
    if (userId !== member.visitor.userId || !members.has(member)) return
    // not remembered is seen anew: nothing is lost
    await markRead(member.visitor, Math.min(upTo, member.reached)).catch(() => {})
  }

  function startOver(member: Member): void {
    member.reached = readModels.seq
    member.told = readModels.seq
    const { seq } = readModels
    member.lane.send(() => member.socket.emit('snapshot', { snapshot: true, seq }), true)
  }

  /** Tells what in `facts` concerns a member, and that they have everything up to `seq`. */
  function tell(member: Member, seq: number, facts: Fact[]): void {
    member.reached = seq
    const theirs = facts.filter(
      (fact): fact is PublicFact => isPublicFact(fact) && concerns(fact, member.scope, member.visitor),
    )
    if (theirs.length === 0 && facts.length > 0) return
    const { socket, told: prevSeq } = member
    // They go one way together: a notification alone has no place in the log by which to know that one before it is missing.
    member.lane.send(() => {
      // What the facts mean goes first: who is cut off before the facts asks for both again, and knows the one by its `seq`.
      for (const fact of theirs) {
        if (fact.type === 'device-status.changed') {
          const { imei, from, to } = fact.data
          const groupId = deviceByImei(readModels.directory, imei)?.groupId ?? null
          socket.emit('vehicleStatusChanged', { seq: fact.seq, imei, groupId, from, thingStatus: to })
        }
        const notification = notificationOf(fact, readModels)
        if (notification !== undefined) socket.emit('notification', { ...notification, seq: fact.seq })
      }
      socket.emit('facts', { prevSeq, seq, facts: theirs })
    })
    member.told = seq
    member.toldAt = performance.now()
  }

  /** Reads on for a member who is behind, a chunk at a time, as long as they take it. */
  function catchUp(member: Member, now: number): void {
    while (member.reached < readModels.seq && takes(member, now)) {
      const head = readModels.seq
      const facts = log.readFacts(member.reached, { types: [...PUBLIC_FACT_TYPES], limit: limits.chunk })
      const reached = facts.length < limits.chunk ? head : Math.min(head, facts.at(-1)?.seq ?? head)
      tell(
        member,
        reached,
        facts.filter((fact) => fact.seq <= reached),
      )
    }
  }

  /** Socket.IO queues without bound: what waits in its connection is counted, and whoever takes nothing is cut. */
  function takes(member: Member, now: number): boolean {
    if (packetsWaiting(member.socket) <= limits.waiting) {
      member.stuckSince = undefined
      return true
    }
    member.stuckSince ??= now
    if (now - member.stuckSince > limits.stuck) drop(member)
    return false
  }

  function drop(member: Member): void {
    leave(member)
    cut(member.socket)
  }

  const changed: Scope[] = []
  scopes.onChange((scope) => changed.push(scope))
  const stopListening = readModels.onAdvance(({ from, to, facts }) => {
    const now = performance.now()
    for (const fact of facts)
      for (const member of members) {
        const ending = endedBy(fact, member.visitor)
        if (ending === undefined) continue
        leave(member)
        member.lane.flush()
        if (ending.code !== LIVE_CLOSE.moved)
          member.socket.emit('logout', {
            seq: fact.seq,
            refreshToken: member.refreshToken,
            identityId: member.visitor.sessionId,
          })
        member.socket.disconnect(true)
      }
    for (const member of members) {
      if (member.reached !== from || facts.length > limits.chunk || !takes(member, now)) continue
      if (facts.some(isPublicFact)) tell(member, to, facts)
      else member.reached = to
    }
    // Who sees other devices now has other notifications too: of those that came, all; of those that went, none.
    const others = changesScopes(facts)
    for (const scope of changed.splice(0)) {
      if (!others) continue
      for (const member of members) if (member.scope === scope) startOver(member)
    }
  })

  const timer = setInterval(() => {
    const now = performance.now()
    for (const member of members) {
      if (member.visitor.expiresAt <= clock.now()) {
        leave(member)
        member.socket.disconnect(true)
        continue
      }
      catchUp(member, now)
      if (member.reached > member.told && now - member.toldAt > limits.idle && takes(member, now))
        tell(member, member.reached, [])
    }
  }, limits.turn)
  timer.unref()

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(timer)
    stopListening()
    const open = [...namespace.sockets.values()]
    await io.close()
    // A client that does not answer must not keep the server from closing.
    setTimeout(() => open.forEach(cut), limits.farewell).unref()
  })

  return {
    startOver() {
      for (const member of members) startOver(member)
    },
    links: () => members.size,
  }
}

/** Ends a connection: closing politely would wait for a client that takes nothing, and keep what waits for it in memory. */
function cut({ conn }: Listener): void {
  const { socket } = conn.transport as unknown as { socket?: { terminate(): void } }
  // who polls has no line of their own
  if (socket === undefined) conn.close(true)
  else socket.terminate()
}

/** Of the connection, which its type keeps to itself; `bufferedAmount` would miss what Socket.IO holds back. */
const packetsWaiting = (socket: Listener): number =>
  (socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length
