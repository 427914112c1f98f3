import { transition } from 'xstate'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type LoadEmitted, type LoadEvent, loadMachine } from '#machines/load/load.machine.ts'
import { type Directory, isWithin } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { withoutControls } from '#machines/rules/plain-text.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { authorName } from '../notifications/in-scope.ts'
import { isManager } from '../views/views.ts'

export const IS_CLOSED = 'The load is closed'
export const NOTHING_TO_REVIEW = 'Only a load that is exhausted or closed is reviewed'
export const NOT_IN_REVIEW = 'Only a load that is in review is decided about'
export const MANAGERS_DECIDE = 'Managers decide about loads'
export const NO_REASON = 'Please say why'

type Viewer = Pick<Visitor, 'userId' | 'companyId' | 'groupId' | 'superAdmin'>

/** A load somebody sees; undefined: there is none of that id, or they do not see its device. */
export function loadInScope(directory: Directory, loadId: string, topId: string): LoadRecord | undefined {
  const load = directory.loads.byId.get(loadId)
  const groupId = directory.devices[load?.deviceNo ?? -1]?.groupId ?? null
  return load !== undefined && isWithin(directory, groupId, topId) ? load : undefined
}

/** It is off its device. */
export function closeLoad(directory: Directory, command: CommandOf<'load.close'>, viewer: Viewer): Decision {
  const load = loadInScope(directory, command.data.loadId, viewer.groupId)
  if (load === undefined) return refuse(404, NOT_FOUND)
  // one opened by a clock that runs ahead is not closed before it was opened
  const at = Math.max(command.at, load.openedAt)
  const userName = authorName(directory, command.by)
  return orRefuse(decidedBy(directory, load, { type: 'close', at, userName }, command.by), IS_CLOSED)
}

/** Refused with 404 for a load that the viewer does not see, and where there is nothing to review. */
export function beginReview(
  directory: Directory,
  command: CommandOf<'load.begin-review'>,
  viewer: Viewer,
): Decision {
  const load = loadInScope(directory, command.data.loadId, viewer.groupId)
  if (load === undefined) return refuse(404, NOT_FOUND)
  const userName = authorName(directory, command.by)
  const event = { type: 'begin review', at: command.at, userName } as const
  return orRefuse(decidedBy(directory, load, event, command.by), NOTHING_TO_REVIEW)
}

/** Somebody who answers for the goods says what becomes of them. */
export function decideLoad(
  directory: Directory,
  command: CommandOf<'load.release'> | CommandOf<'load.reject'>,
  viewer: Viewer,
): Decision {
  const load = loadInScope(directory, command.data.loadId, viewer.groupId)
  if (load === undefined) return refuse(404, NOT_FOUND)
  if (!isManager(directory, viewer)) return refuse(403, MANAGERS_DECIDE)
  const reason = withoutControls(command.data.reason).trim()
  if (reason === '') return faulty([{ path: 'reason', message: NO_REASON }])
  const { signOff } = command.data
  const type = command.type === 'load.release' ? 'release' : 'reject'
  const userName = authorName(directory, command.by)
  return orRefuse(
    decidedBy(directory, load, { type, at: command.at, userName, reason, signOff }, command.by),
    NOT_IN_REVIEW,
  )
}

/**
 * Readings say that a budget is exhausted, that it is so since another time, or (null) that it never was. What is exhausted since it was
 * released is published anew. The same again is nothing, and readings some of which are no longer kept do not say that it was not, or only later.
 */
export function noteExhausted(directory: Directory, command: CommandOf<'load.note-exhausted'>): Decision {
  const { loadId, exhausted, isAtRisk, receivedAt } = command.data
  const load = directory.loads.byId.get(loadId)
  if (load === undefined) return decided()
  if (exhausted !== null && load.exhausted?.at === exhausted.at) return decided()
  const isAnew =
    load.stage === 'released' && load.decision !== null && (exhausted?.at ?? 0) > load.decision.at
  const isLess = load.exhausted !== null && (exhausted === null || exhausted.at > load.exhausted.at)
  if (isLess && !isAnew && load.openedAt < keptSince(directory, load.companyId, command.at)) return decided()
  if (exhausted === null) {
    if (load.exhausted === null) return decided()
    return decidedBy(directory, load, { type: 'revise', at: command.at, after: null, isAtRisk })
  }
  const { at, ...data } = exhausted
  if (load.exhausted === null || isAnew) {
    const event = { type: 'exhaust', at, data, ...(receivedAt !== null && { receivedAt }) } as const
    return decidedBy(directory, load, event)
  }
  const after = { exhaustedAt: at, ...data }
  return decidedBy(directory, load, { type: 'revise', at: command.at, after, isAtRisk })
}

const orRefuse = (decision: Decision, why: string): Decision =>
  decision.facts.length > 0 ? decision : refuse(409, why)

/** The facts the machine emits, about this load. */
function decidedBy(
  { devices }: Directory,
  { loadId, companyId, deviceNo, stage, exhausted, closedAt, decision }: LoadRecord,
  event: LoadEvent,
  by: string | null = null,
): Decision {
  const imei = devices[deviceNo]?.imei
  const before = loadMachine.resolveState({
    value: stage,
    context: { exhaustedAt: exhausted?.at ?? null, closedAt, decision },
  })
  const [, actions] = transition(loadMachine, before, event)
  const facts = (actions as readonly { type: string; params?: unknown }[]).flatMap(
    ({ type, params }): NewFact[] => {
      if (type !== 'xstate.emit') return []
      const emitted = (params as { event: LoadEmitted }).event
      const data = { ...emitted.data, loadId, imei }
      return [{ ...emitted, companyId, ...(by !== null && { by }), data } as NewFact]
    },
  )
  return decided(...facts)
}
