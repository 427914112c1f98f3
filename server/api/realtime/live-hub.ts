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
} from './change-hints.ts'
import { followChangedRows } from './changed-rows.ts'
import { type Scope, type Scopes, seesTheSame } from './scopes.ts'
import type { Visitor } from './visitor.ts'

/** What the hub needs of a socket. */
export type Outlet = {
  send(message: Uint8Array | LiveMessage): void
  /** bytes handed over and not yet taken by the network */
  waiting(): number
  /** cuts the link without waiting for what is still to be sent */
  drop(): void
}

export type Member = {
  readonly visitor: Visitor
  readonly scope: Scope
  readonly outlet: Outlet
  /** the last position this link was told it is complete up to */
  told: number
  /** since when, monotonic ms, the link takes nothing; undefined while it does */
  stuckSince: number | undefined
  /** changes it was not told of yet, because it took nothing */
  readonly pending: PendingChanges
}

export type Pace = { speed: number; paused: boolean }

export type LiveHub = {
  /** lets a visitor in: welcomes them, answers `after` where given, and keeps them up to date */
  join(outlet: Outlet, visitor: Visitor, after: number | undefined): Member
  /** answers what changed after a position: one frame, or `snapshot` */
  resume(member: Member, after: number): void
  leave(member: Member): void
  /** tells whom it concerns of changes that are in no log, e.g. how far something is */
  hint(hints: readonly Hint[]): void
  /** sends the frames that are due. `now`: monotonic ms */
  turn(now: number): void
  /** tells every link how far it is and what time it is in the server */
  tellAge(): void
  stop(): void
}

export type HubLimits = {
  /** ms between two frames of a scope, few rows and many */
  fewEvery: number
  manyEvery: number
  /** rows in a frame from which they are many */
  many: number
  /** bytes a link may have waiting and still be given a frame */
  waiting: number
  /** ms a link may take nothing, and bytes per ms it is granted beyond that for what is waiting */
  stuck: number
  slowest: number
}

export const HUB_LIMITS: HubLimits = {
  fewEvery: 200,
  manyEvery: 500,
  many: 1000,
  waiting: 64 * 1024,
  stuck: 10_000,
  slowest: 32,
}

type Channel = {
  members: Set<Member>
  /** where the last frame ended: everybody who keeps up has been told at least this */
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

/**
 * Frames for everybody on `/live`. Links with the same scope share one encoded frame. A link that does not take its
 * bytes is passed over: its next frame starts where its last one ended, so nothing is queued for it and nothing is lost.
 */
export function createLiveHub({ clock, readModels, log, scopes, pace, limits }: Deps): LiveHub {
  const { directory, latest } = readModels
  const rows = followChangedRows(latest)
  const channels = new Map<Scope, Channel>()
  const stopNoting = readModels.onAdvance(({ changed }) => rows.note(changed))
  const stopHinting = readModels.onAdvance((advance) => hint(hintsOf(advance, directory)))
  function hint(hints: readonly Hint[]): void {
    if (hints.length === 0) return
    for (const [scope, { members }] of channels) {
      const [first] = members
      if (first === undefined) continue
      // who is at one group is of one company
      const pending = pendingFor(hints, first.visitor.companyId, scope.covers, directory)
      for (const member of members) {
        addPending(member.pending, pending)
        settle(member)
      }
    }
  }
  scopes.onChange((scope) => {
    const message: LiveMessage = { type: 'scope', seq: readModels.seq }
    for (const { outlet } of channels.get(scope)?.members ?? []) outlet.send(message)
  })

  function encodeSince(prevSeq: number, scope: Scope, resumed: boolean) {
    const head = { seq: readModels.seq, resumed, baseAt: Math.floor(clock.now()) }
    const frame = rows.since(prevSeq, scope.devices, head)
    return { rows: frame.device.length, bytes: encodeLiveFrame(frame) }
  }

  /** One look through a scope: everybody who keeps up gets the same bytes, who fell behind gets their own. */
  function frame(scope: Scope, channel: Channel, now: number): void {
    const base = channel.framed
    const shared = encodeSince(base, scope, false)
    const own = new Map<number, Uint8Array>()
    channel.lookedAt = readModels.seq
    channel.due = now + (shared.rows >= limits.many ? limits.manyEvery : limits.fewEvery)
    if (shared.rows > 0) channel.framed = readModels.seq
    for (const member of channel.members) {
      if (!takes(member, now)) continue
      if (member.told >= base) {
        if (shared.rows === 0) continue
        member.outlet.send(shared.bytes)
      } else {
        let bytes = own.get(member.told)
        if (bytes === undefined) {
          bytes = encodeSince(member.told, scope, false).bytes
          own.set(member.told, bytes)
        }
        member.outlet.send(bytes)
      }
      member.told = readModels.seq
    }
  }

  function settle({ outlet, pending }: Member): void {
    if (pending.size === 0 || outlet.waiting() > limits.waiting) return
    for (const message of messagesOf(pending, readModels.seq)) outlet.send(message)
    pending.clear()
  }

  /** Whether a link has room for another frame; one that has had none for too long is dropped. */
  function takes(member: Member, now: number): boolean {
    const waiting = member.outlet.waiting()
    if (waiting <= limits.waiting) {
      member.stuckSince = undefined
      return true
    }
    member.stuckSince ??= now
    if (now - member.stuckSince > limits.stuck + waiting / limits.slowest) member.outlet.drop()
    return false
  }

  function resume(member: Member, after: number): void {
    if (!seesTheSame(log, readModels.seq, after, member.visitor)) {
      member.outlet.send({ type: 'snapshot' })
      return
    }
    if (member.outlet.waiting() > limits.waiting) {
      // Whoever asks without taking what is there is answered once they have: by the frame that starts at `after`.
      member.told = Math.min(member.told, after)
      return
    }
    member.outlet.send(encodeSince(after, member.scope, true).bytes)
    member.told = readModels.seq
  }

  return {
    join(outlet, visitor, after) {
      const scope = scopes.hold(visitor.groupId)
      let channel = channels.get(scope)
      if (channel === undefined) {
        channel = { members: new Set(), framed: readModels.seq, lookedAt: readModels.seq, due: 0 }
        channels.set(scope, channel)
      }
      const member: Member = {
        visitor,
        scope,
        outlet,
        told: readModels.seq,
        stuckSince: undefined,
        pending: new Map(),
      }
      channel.members.add(member)
      outlet.send({ type: 'welcome', seq: readModels.seq, now: clock.now() })
      if (after !== undefined) resume(member, after)
      return member
    },
    resume,
    hint,
    leave(member) {
      const channel = channels.get(member.scope)
      if (channel?.members.delete(member) !== true) return
      if (channel.members.size === 0) channels.delete(member.scope)
      scopes.release(member.scope)
    },
    turn(now) {
      for (const [scope, channel] of channels) if (channel.due <= now) frame(scope, channel, now)
    },
    tellAge() {
      const now = clock.now()
      for (const channel of channels.values())
        for (const member of channel.members) {
          settle(member)
          if (member.outlet.waiting() > limits.waiting) continue
          const prevSeq = member.told
          if (prevSeq >= channel.framed) member.told = Math.max(prevSeq, channel.lookedAt)
          member.outlet.send({ type: 'age', now, prevSeq, seq: member.told, ...pace() })
        }
    },
    stop() {
      stopNoting()
      stopHinting()
    },
  }
}
