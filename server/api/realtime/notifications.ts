import type { Server as HttpServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Namespace, type Socket, Server as SocketServer } from 'socket.io'
import type { Clock } from '#machines/contracts/clock.ts'
import { decode, printable } from '#machines/contracts/decode.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { isOutdated, OUTDATED } from '#machines/contracts/protocol.ts'
import { isPublicFact, PUBLIC_FACT_TYPES, type PublicFact } from '#machines/contracts/public-facts.ts'
import {
  type ClientEvents,
  CROWDED,
  HandshakeAuth,
  type LogMark,
  NOTIFICATIONS_NAMESPACE,
  type ServerEvents,
} from '#machines/contracts/sockets.ts'
import { deviceOfFact } from '#machines/projections/directory.ts'
import { notificationOf } from '../../read-models/notification-of.ts'
import type { Advance, ReadModels } from '../../read-models/read-models.ts'
import { seqAt } from '../../read-models/shift.ts'
import { type EventLog, StoreUnavailable } from '../../store/store.ts'
import type { Lane, Network } from '../network.ts'
import { type CatchingUpRows, followCatchingUp } from './catching-up.ts'
import { decodeSeen, type MarkRead } from './mark-read.ts'
import type { NotificationLimits } from './notification-limits.ts'
import { roomAnswer } from './room.ts'
import { changesScopes, concerns, type Scope, type Scopes, seesTheSame } from './scopes.ts'
import type { Seats } from './seats.ts'
import { createStrangers } from './strangers.ts'
import { endedBy, type VerifyToken, type Visitor } from './visitor.ts'

/** `isAnew`: what they have is of another log */
type Person = { visitor: Visitor; refreshToken: string | null; after: number | undefined; isAnew: boolean }
/** `free`: gives the seat of the link back, once */
type SocketData = { person: Person; free: () => void }
type NotificationEvents = { [E in keyof ServerEvents]: (message: ServerEvents[E]) => void }
type ClientMessages = { [E in keyof ClientEvents]: (message: unknown, answer?: unknown) => void }
type Listener = Socket<ClientMessages, NotificationEvents, Record<string, never>, SocketData>
type Listeners = Namespace<ClientMessages, NotificationEvents, Record<string, never>, SocketData>

type Member = Person & {
  socket: Listener
  lane: Lane
  scope: Scope
  /** facts up to here are sent or do not concern them */
  reached: number
  /** `seq` of the last `facts` event */
  sent: number
  sentAt: number
  stuckSince: number | undefined
  /** whether they know which devices are catching up; who has just come knows of none */
  catchingUp: 'none' | 'behind' | 'current'
  /** up to where they marked notifications read, and up to where that is done */
  read: number
  marked: number
  isMarking: boolean
}

type Deps = {
  clock: Clock
  readModels: ReadModels
  log: EventLog
  scopes: Scopes
  verifyToken: VerifyToken
  markRead: MarkRead
  seats: Seats
  network: Pick<Network, 'lane'>
  /** where upgrades and polls of this namespace arrive */
  server: HttpServer
  limits: NotificationLimits
  /** the version that is spoken here */
  protocol: number
}

type Notifications = Deps & {
  members: Set<Member>
  /** scopes that changed with the facts that are to be emitted next */
  changedScopes: Scope[]
  /** the newest fact there is; undefined: none yet */
  mark: LogMark | undefined
  isClosing: boolean
  catchingUp: CatchingUpRows
}

/**
 * The namespace `/notifications`. Nothing is queued for a client: each has a position in the log, and whoever is behind
 * it, because they were away or are slow, reads on from there.
 */
export function serveNotifications(
  app: FastifyInstance,
  deps: Deps,
): { startOver(): void; connections(): number } {
  const { readModels, scopes, limits } = deps
  const state: Notifications = {
    ...deps,
    members: new Set(),
    changedScopes: [],
    mark: newestOf(deps.log),
    isClosing: false,
    catchingUp: followCatchingUp(readModels, deps.clock),
  }
  const { io, namespace } = openNamespace(state)
  scopes.onChange((scope) => state.changedScopes.push(scope))
  const stopListening = readModels.onAdvance((advance) => emitAdvance(state, advance))
  const timer = setInterval(() => turn(state), limits.turn)
  timer.unref()
  const progress = setInterval(() => emitCatchingUp(state), limits.progress)
  progress.unref()
  app.addHook('preClose', async () => {
    state.isClosing = true
    clearInterval(timer)
    clearInterval(progress)
    stopListening()
    const open = [...namespace.sockets.values()]
    await io.close()
    // A client that does not answer must not keep the server from closing.
    setTimeout(() => {
      for (const { conn } of open) cut(conn)
    }, limits.farewell).unref()
  })
  return {
    startOver() {
      for (const member of state.members) startOver(state, member)
    },
    connections: () => state.members.size,
  }
}

function openNamespace(state: Notifications): { io: SocketServer; namespace: Listeners } {
  const { server, limits } = state
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
    allowRequest: (_, answer) =>
      answer(state.isClosing ? 'Not available now, try again shortly' : null, !state.isClosing),
    // who takes nothing is gone within ten seconds, and comes again from where they were
    pingInterval: 4000,
    pingTimeout: 6000,
  })
  const namespace: Listeners = io.of(NOTIFICATIONS_NAMESPACE)
  // Nothing is sent outside of the namespace: who stays there would be a connection that nobody let in.
  io.use((_, next) => next(new Error('nothing is said here')))
  namespace.use((socket, next) => {
    admit(state, socket.handshake.auth)
      .then((person) => {
        socket.data = { person, free: takeSeat(state, socket, person.visitor.userId) }
        next()
      })
      .catch((error: unknown) => next(error instanceof Error ? error : new Error('refused')))
  })
  const strangers = createStrangers<Connection>(limits.strangers, cut)
  io.engine.on('connection', (connection: Connection) => {
    strangers.add(connection)
    connection.once('close', () => strangers.delete(connection))
  })
  namespace.on('connection', (socket) => {
    strangers.delete(socket.conn)
    join(state, socket)
  })
  return { io, namespace }
}

type Connection = Listener['conn']

async function admit(
  { verifyToken, clock, readModels, log, protocol: spoken }: Notifications,
  handshake: unknown,
): Promise<Person> {
  const {
    token,
    refreshToken = null,
    after,
    mark,
    protocol,
  } = decode(printable(handshake), HandshakeAuth, 'handshake')
  if (isOutdated(protocol, spoken)) throw new Error(OUTDATED)
  const visitor = await verifyToken(token)
  if (visitor === undefined || visitor.expiresAt <= clock.now()) throw new Error('token refused')
  if (readModels.directory.companies.get(visitor.companyId)?.suspended === true)
    throw new Error('company suspended')
  return { visitor, refreshToken, after, isAnew: mark !== undefined && (await isOfOther(log, mark)) }
}

function newestOf(log: EventLog): LogMark | undefined {
  const seq = seqAt(log, Number.POSITIVE_INFINITY)
  const [fact] = seq === 0 ? [] : log.readFacts(seq - 1, { limit: 1 })
  return fact && { seq, recordedAt: fact.recordedAt }
}

/** Whether what a client was sent is of another log: one that was there before this one was begun anew, or restored. */
async function isOfOther(log: EventLog, { seq, recordedAt }: LogMark): Promise<boolean> {
  try {
    // another node may have sent it
    if (seq > log.head()) await log.caughtUp()
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
  const [fact] = log.readFacts(seq - 1, { limit: 1 })
  return fact?.seq !== seq || fact.recordedAt !== recordedAt
}

/**
 * Answers how to give the seat back, which the end of the line does too: it may end before anybody is let in.
 * @throws Error where the user has none left
 */
function takeSeat({ seats }: Notifications, { conn }: Listener, userId: string): () => void {
  if (!seats.take(userId)) throw new Error(CROWDED)
  let isFree = false
  const free = () => {
    conn.off('close', free)
    if (!isFree) seats.leave(userId)
    isFree = true
  }
  conn.on('close', free)
  return free
}

function join(state: Notifications, socket: Listener): void {
  const { readModels, scopes, network, members } = state
  const { person } = socket.data
  const member: Member = {
    ...person,
    socket,
    lane: network.lane(),
    scope: scopes.hold(person.visitor.groupId),
    reached: readModels.seq,
    sent: readModels.seq,
    sentAt: performance.now(),
    stuckSince: undefined,
    catchingUp: 'none',
    read: 0,
    marked: 0,
    isMarking: false,
  }
  members.add(member)
  socket.on('disconnect', (reason) => {
    member.lane.close()
    socket.data.free()
    leave(state, member)
    // nobody is on it, and nothing would end it
    if (reason === 'client namespace disconnect') cut(socket.conn)
  })
  socket.on('seeNotifications', (message) => noteRead(state, member, message))
  socket.on('room', (message, answer) => {
    if (typeof answer === 'function') answer(roomAnswer(message, person.visitor.userId))
  })
  greet(state, member)
}

/** Sent at once, so that the client knows from where it can come again. */
function greet(state: Notifications, member: Member): void {
  const { after, isAnew } = member
  if (isAnew) startOver(state, member, isAnew)
  else if (after === undefined) emitFacts(state, member, state.readModels.seq, [])
  else if (!canResume(state, member, after)) startOver(state, member)
  else {
    member.reached = after
    member.sent = after
    catchUp(state, member, performance.now())
  }
}

function canResume({ log, readModels, limits }: Notifications, { visitor }: Member, after: number): boolean {
  if (!seesTheSame(log, readModels.seq, after, visitor)) return false
  return log.readFacts(after, { types: [...PUBLIC_FACT_TYPES], limit: limits.missed }).length < limits.missed
}

function leave({ members, scopes }: Notifications, member: Member): void {
  if (members.delete(member)) scopes.release(member.scope)
}

/** What a client marks read, as far as it was sent. Nonsense and a foreign id are passed over. */
function noteRead(state: Notifications, member: Member, message: unknown): void {
  const { userId, upTo = member.reached } = decodeSeen(message) ?? {}
  if (userId !== member.visitor.userId || !state.members.has(member)) return
  member.read = Math.max(member.read, Math.min(upTo, member.reached))
  if (!member.isMarking) void markUpTo(state, member)
}

/** One at a time, the newest: whether there is something to mark costs a look through all notifications. */
async function markUpTo({ members, markRead }: Notifications, member: Member): Promise<void> {
  member.isMarking = true
  while (member.marked < member.read && members.has(member)) {
    const { read } = member
    try {
      await markRead(member.visitor, read)
      member.marked = read
    } catch {
      // what is not stored is unread again: nothing is lost
      member.read = member.marked
    }
  }
  member.isMarking = false
}

function startOver({ readModels }: Notifications, member: Member, isAnew = false): void {
  const { seq } = readModels
  member.catchingUp = 'behind'
  member.reached = seq
  member.sent = seq
  const message = { snapshot: true as const, seq, ...(isAnew && { isAnew }) }
  member.lane.send(() => member.socket.emit('snapshot', message), true)
}

/** Emits what in `facts` concerns a member, and that they have everything up to `seq`. */
function emitFacts(
  { readModels, log, mark: newest }: Notifications,
  member: Member,
  seq: number,
  facts: readonly Fact[],
): void {
  member.reached = seq
  const theirs = facts.filter(
    (fact): fact is PublicFact => isPublicFact(fact) && concerns(fact, member.scope, member.visitor),
  )
  if (theirs.length === 0 && facts.length > 0) return
  const { socket, sent: prevSeq } = member
  const mark = newest !== undefined && newest.seq <= seq ? newest : undefined
  // They go one way together: a notification alone has no place in the log by which to know that one before it is missing.
  member.lane.send(() => {
    // What the facts mean goes first: who is cut off before the facts requests both again, and knows the one by its `seq`.
    for (const fact of theirs) emitMeaning(readModels, log, socket, fact)
    socket.emit('facts', { prevSeq, seq, facts: theirs, ...(mark && { mark }) })
  })
  member.sent = seq
  member.sentAt = performance.now()
}

function emitMeaning(readModels: ReadModels, log: EventLog, socket: Listener, fact: PublicFact): void {
  if (fact.type === 'device-status.changed') {
    const { imei, from, to } = fact.data
    const groupId = deviceOfFact(readModels.directory, fact)?.groupId ?? null
    socket.emit('vehicleStatusChanged', { seq: fact.seq, imei, groupId, from, thingStatus: to })
  }
  const notification = notificationOf(openingOf(fact, log), readModels)
  if (notification !== undefined) socket.emit('notification', { ...notification, seq: fact.seq })
}

/** The fact that a notification is made of: what lasts when it is shelved no more is alerted once again. */
function openingOf(fact: Fact, log: EventLog): Fact {
  if (fact.type !== 'violation.unshelved' || fact.data.opened === null) return fact
  return log.readFacts(fact.data.opened - 1, { limit: 1 })[0] ?? fact
}

/** Reads on for a member who is behind, a chunk at a time, as long as they take it. */
function catchUp(state: Notifications, member: Member, now: number): void {
  const { log, readModels, limits } = state
  while (member.reached < readModels.seq && takes(state, member, now)) {
    const head = readModels.seq
    const facts = log.readFacts(member.reached, { types: [...PUBLIC_FACT_TYPES], limit: limits.chunk })
    const reached = facts.length < limits.chunk ? head : Math.min(head, facts.at(-1)?.seq ?? head)
    const upTo = facts.filter((fact) => fact.seq <= reached)
    emitFacts(state, member, reached, upTo)
  }
}

/** Socket.IO queues without bound: what waits in its connection is counted, and whoever takes nothing is cut. */
function takes(state: Notifications, member: Member, now: number): boolean {
  const { limits } = state
  if (packetsWaiting(member.socket) <= limits.waiting) {
    member.stuckSince = undefined
    return true
  }
  member.stuckSince ??= now
  if (now - member.stuckSince > limits.stuck) drop(state, member)
  return false
}

function drop(state: Notifications, member: Member): void {
  leave(state, member)
  cut(member.socket.conn)
}

function emitAdvance(state: Notifications, { from, to, facts }: Advance): void {
  const { members, limits } = state
  const now = performance.now()
  const newest = facts.at(-1)
  if (newest) state.mark = { seq: newest.seq, recordedAt: newest.recordedAt }
  for (const fact of facts) for (const member of members) endByFact(state, member, fact)
  for (const member of members) {
    if (member.reached !== from || facts.length > limits.chunk || !takes(state, member, now)) continue
    if (facts.some(isPublicFact)) emitFacts(state, member, to, facts)
    else member.reached = to
  }
  startOverChanged(state, facts)
}

function endByFact(state: Notifications, member: Member, fact: Fact): void {
  const { visitor, socket, refreshToken } = member
  const ending = endedBy(fact, visitor)
  if (ending === undefined) return
  leave(state, member)
  member.lane.flush()
  if (ending.code !== LIVE_CLOSE.moved)
    socket.emit('logout', { seq: fact.seq, refreshToken, identityId: visitor.sessionId })
  socket.disconnect(true)
}

/** Who sees other devices now has other notifications too: of those that came, all; of those that went, none. */
function startOverChanged(state: Notifications, facts: readonly Fact[]): void {
  const scopes = state.changedScopes.splice(0)
  if (!changesScopes(facts)) return
  for (const scope of scopes)
    for (const member of state.members) if (member.scope === scope) startOver(state, member)
}

function turn(state: Notifications): void {
  const now = performance.now()
  for (const member of state.members) {
    if (member.visitor.expiresAt <= state.clock.now()) {
      leave(state, member)
      member.socket.disconnect(true)
      continue
    }
    catchUp(state, member, now)
    const isSilent = member.reached > member.sent && now - member.sentAt > state.limits.idle
    if (isSilent && takes(state, member, now)) emitFacts(state, member, member.reached, [])
  }
}

/** Tells who keeps up what is otherwise, who has come or fell behind all there is; nobody anything where no device is catching up. */
function emitCatchingUp(state: Notifications): void {
  const { catchingUp, members } = state
  const now = performance.now()
  const hasChanged = catchingUp.look()
  const byScope = new Map<Scope, ReturnType<CatchingUpRows['changed']>>()
  for (const member of members) {
    const { scope, lane, socket } = member
    if (member.catchingUp === 'current' && !hasChanged) continue
    const changed = byScope.get(scope) ?? catchingUp.changed(scope)
    byScope.set(scope, changed)
    if (member.catchingUp === 'current' && changed.length === 0) continue
    if (!takes(state, member, now)) {
      member.catchingUp = 'behind'
      continue
    }
    const messages = member.catchingUp === 'current' ? changed : catchingUp.whole(scope)
    const isNews = member.catchingUp !== 'none' || messages.some(({ devices }) => devices.length > 0)
    member.catchingUp = 'current'
    if (isNews) lane.send(() => messages.forEach((message) => void socket.emit('catchingUp', message)), true)
  }
}

/** Ends a connection: closing politely would wait for a client that takes nothing, and keep what waits for it in memory. */
function cut(connection: Connection): void {
  const { socket } = connection.transport as unknown as { socket?: { terminate(): void } }
  // who polls has no connection of their own
  if (socket === undefined) connection.close(true)
  else socket.terminate()
}

/** Of the connection, which its type keeps to itself; `bufferedAmount` would miss what Socket.IO holds back. */
const packetsWaiting = (socket: Listener): number =>
  (socket.conn as unknown as { writeBuffer: unknown[] }).writeBuffer.length
