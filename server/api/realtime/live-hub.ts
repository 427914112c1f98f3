import type { Clock } from '#machines/contracts/clock.ts'
import { encodeLiveFrame } from '#machines/contracts/live-frame.ts'
import type { LiveMessage } from '#machines/contracts/live-messages.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { EventLog } from '../../store/store.ts'
import {
  addPending,
  type Hint,
  hintsOf,
  messagesOf,
  type PendingChanges,
  pendingFor,
  pendingForSuperAdmins,
} from './change-hints.ts'
import { type ChangedRows, followChangedRows } from './changed-rows.ts'
import { type Scope, type Scopes, seesTheSame } from './scopes.ts'
import type { Visitor } from './visitor.ts'

/** What the hub needs of a socket. */
export type Outlet = {
  send(message: Uint8Array | LiveMessage): void
  /** bytes handed over and not yet taken by the network */
  waiting(): number
  /** cuts the connection without waiting for what is still to be sent */
  drop(): void
}

export type Member = {
  readonly visitor: Visitor
  readonly scope: Scope
  readonly outlet: Outlet
  /** the last position this connection was sent all up to */
  completeTo: number
  /** since when, monotonic ms, the connection takes nothing; undefined while it does */
  stuckSince: number | undefined
  /** changes it was not sent yet, because it took nothing */
  readonly pending: PendingChanges
}

export type Pace = { speed: number; paused: boolean }

export type LiveHub = {
  /** lets a visitor in: welcomes them, with the version of the protocol where given, answers `after` where given, and keeps them up to date */
  join(outlet: Outlet, visitor: Visitor, after: number | undefined, protocol?: number): Member
  /** answers at the next turn that has time for it what changed after a position, the newest that was requested: one frame, or `snapshot` */
  resume(member: Member, after: number): void
  leave(member: Member): void
  /** sends changes that are in no log, e.g. how far something is, to whom they concern */
  hint(hints: readonly Hint[]): void
  /** answers who wants to resume, and sends the frames that are due. `now`: monotonic ms */
  turn(now: number): void
  /** sends every connection how far it is and what time the server's clock shows */
  sendAges(): void
  stop(): void
}

export type HubLimits = {
  /** ms between two frames of a scope, few rows and many */
  fewEvery: number
  manyEvery: number
  /** rows in a frame from which they are many */
  many: number
  /** bytes a connection may have waiting and still be given a frame */
  waiting: number
  /** ms a connection may take nothing, and bytes per ms it is granted beyond that for what is waiting */
  stuck: number
  slowest: number
  /** ms of a turn after which no more who want to resume are answered in it */
  answering: number
}

export const HUB_LIMITS: HubLimits = {
  fewEvery: 200,
  manyEvery: 500,
  many: 1000,
  waiting: 64 * 1024,
  stuck: 10_000,
  slowest: 32,
  answering: 10,
}

type Channel = {
  members: Set<Member>
  /** where the last frame ended: everybody who keeps up has been sent at least this */
  framed: number
  /** up to where the scope was looked through; nothing changed in it between `framed` and here */
  lookedAt: number
  due: number
}

type Deps = {
  clock: Clock
  readModels: ReadModels
  log: EventLog
  scopes: Scopes
  pace: () => Pace
  limits: HubLimits
}

type Hub = Deps & {
  rows: ChangedRows
  channels: Map<Scope, Channel>
  /** positions after which members want to resume, in the order they are answered */
  wanted: Map<Member, number>
}

/**
 * Frames for everybody on `/live`. Connections with the same scope share one encoded frame. One that does not take its
 * bytes is passed over: its next frame starts where its last one ended, so nothing is queued for it and nothing is lost.
 */
export function createLiveHub(deps: Deps): LiveHub {
  const { readModels, scopes } = deps
  const rows = followChangedRows(readModels.latest)
  const hub: Hub = { ...deps, rows, channels: new Map(), wanted: new Map() }
  const stopNoting = readModels.onAdvance(({ changed }) => rows.note(changed))
  const stopHinting = readModels.onAdvance((advance) =>
    sendHints(hub, hintsOf(advance, readModels.directory)),
  )
  scopes.onChange((scope) => sendScopeChanged(hub, scope))
  return {
    join: (outlet, visitor, after, protocol) => join(hub, outlet, visitor, after, protocol),
    resume: (member, after) => void hub.wanted.set(member, after),
    leave: (member) => leave(hub, member),
    hint: (hints) => sendHints(hub, hints),
    turn(now) {
      answerWanted(hub)
      for (const [scope, channel] of hub.channels) if (channel.due <= now) sendFrame(hub, scope, channel, now)
    },
    sendAges() {
      const now = deps.clock.now()
      for (const channel of hub.channels.values())
        for (const member of channel.members) sendAge(hub, channel, member, now)
    },
    stop() {
      stopNoting()
      stopHinting()
    },
  }
}

function join(
  hub: Hub,
  outlet: Outlet,
  visitor: Visitor,
  after: number | undefined,
  protocol?: number,
): Member {
  const { scopes, readModels, clock } = hub
  const { seq } = readModels
  const scope = scopes.hold(visitor.groupId)
  const member: Member = {
    visitor,
    scope,
    outlet,
    completeTo: seq,
    stuckSince: undefined,
    pending: new Map(),
  }
  channelOf(hub, scope).members.add(member)
  outlet.send({
    type: 'welcome',
    seq,
    now: clock.now(),
    ...(protocol !== undefined && { protocol }),
  })
  if (after !== undefined) answer(hub, member, after)
  return member
}

function channelOf({ channels, readModels }: Hub, scope: Scope): Channel {
  let channel = channels.get(scope)
  if (channel === undefined) {
    channel = { members: new Set(), framed: readModels.seq, lookedAt: readModels.seq, due: 0 }
    channels.set(scope, channel)
  }
  return channel
}

/** Whoever requests again and again, or without taking what is there, is answered once: it costs as much as a frame of their own. */
function answerWanted(hub: Hub): void {
  const { wanted, limits } = hub
  const begun = performance.now()
  for (const [member, after] of wanted) {
    if (member.outlet.waiting() > limits.waiting) continue
    wanted.delete(member)
    answer(hub, member, after)
    if (performance.now() - begun >= limits.answering) return
  }
}

function answer(hub: Hub, member: Member, after: number): void {
  const { log, readModels } = hub
  if (!seesTheSame(log, readModels.seq, after, member.visitor)) {
    member.outlet.send({ type: 'snapshot' })
    return
  }
  member.outlet.send(encodeSince(hub, after, member.scope, true).bytes)
  member.completeTo = readModels.seq
}

function leave({ channels, scopes, wanted }: Hub, member: Member): void {
  wanted.delete(member)
  const channel = channels.get(member.scope)
  if (channel?.members.delete(member) !== true) return
  if (channel.members.size === 0) channels.delete(member.scope)
  scopes.release(member.scope)
}

/** One look through a scope: everybody who keeps up gets the same bytes, who fell behind gets their own. */
function sendFrame(hub: Hub, scope: Scope, channel: Channel, now: number): void {
  const { readModels, limits } = hub
  const base = channel.framed
  const shared = encodeSince(hub, base, scope, false)
  const own = new Map<number, Uint8Array>()
  channel.lookedAt = readModels.seq
  channel.due = now + (shared.rows >= limits.many ? limits.manyEvery : limits.fewEvery)
  if (shared.rows > 0) channel.framed = readModels.seq
  for (const member of channel.members) {
    if (!takes(hub, member, now)) continue
    if (member.completeTo >= base) {
      if (shared.rows === 0) continue
      member.outlet.send(shared.bytes)
    } else {
      let bytes = own.get(member.completeTo)
      if (bytes === undefined) {
        bytes = encodeSince(hub, member.completeTo, scope, false).bytes
        own.set(member.completeTo, bytes)
      }
      member.outlet.send(bytes)
    }
    member.completeTo = readModels.seq
  }
}

function encodeSince({ readModels, clock, rows }: Hub, prevSeq: number, scope: Scope, resumed: boolean) {
  const head = { seq: readModels.seq, resumed, baseAt: Math.floor(clock.now()) }
  const frame = rows.since(prevSeq, scope.devices, head)
  return { rows: frame.device.length, bytes: encodeLiveFrame(frame) }
}

/** Whether a connection has room for another frame; one that has had none for too long is dropped. */
function takes({ limits }: Hub, member: Member, now: number): boolean {
  const waiting = member.outlet.waiting()
  if (waiting <= limits.waiting) {
    member.stuckSince = undefined
    return true
  }
  member.stuckSince ??= now
  if (now - member.stuckSince > limits.stuck + waiting / limits.slowest) member.outlet.drop()
  return false
}

function sendAge(hub: Hub, channel: Channel, member: Member, now: number): void {
  sendPending(hub, member)
  if (member.outlet.waiting() > hub.limits.waiting) return
  const prevSeq = member.completeTo
  if (prevSeq >= channel.framed) member.completeTo = Math.max(prevSeq, channel.lookedAt)
  member.outlet.send({ type: 'age', now, prevSeq, seq: member.completeTo, ...hub.pace() })
}

function sendHints(hub: Hub, hints: readonly Hint[]): void {
  if (hints.length === 0) return
  const ofSuperAdmins = pendingForSuperAdmins(hints)
  for (const [scope, { members }] of hub.channels) {
    const [first] = members
    if (first === undefined) continue
    // who is at one group is of one company
    const changes = pendingFor(hints, first.visitor.companyId, scope.covers, hub.readModels.directory)
    for (const member of members) {
      addPending(member.pending, changes)
      if (member.visitor.superAdmin) addPending(member.pending, ofSuperAdmins)
      sendPending(hub, member)
    }
  }
}

function sendPending({ readModels, limits }: Hub, { outlet, pending }: Member): void {
  if (pending.size === 0 || outlet.waiting() > limits.waiting) return
  for (const message of messagesOf(pending, readModels.seq)) outlet.send(message)
  pending.clear()
}

function sendScopeChanged({ channels, readModels }: Hub, scope: Scope): void {
  const message: LiveMessage = { type: 'scope', seq: readModels.seq }
  for (const { outlet } of channels.get(scope)?.members ?? []) outlet.send(message)
}
