import type { Fact, FactData, FactOf } from '../contracts/facts.ts'
import { ViolationType } from '../contracts/scalars.ts'
import { isRepeat, REPEAT_WITHIN, type Taken } from '../rules/repeats.ts'

/** Who takes care of a violation. `at`: since when, epoch ms. */
export type Acknowledgement = {
  notificationId: string
  userName: string
  comment: string
  reason?: string | undefined
  at: number
}

/** The last violation of one type of a device. */
type Spell = {
  violationId: string
  /** of the fact that it opened */
  seq: number
  threshold: number
  /** NaN while it lasts */
  worst: number
  endedAt: number | null
  /** what somebody takes care of: itself, or the one it repeats; null: nobody does */
  taken: (Taken & { violationId: string }) | null
}

/** Of each violation that opened, ascending by `opened`: `seq` of that fact and of its end, and when that was; 0: it lasts. */
type Ends = { opened: Float64Array; cleared: Float64Array; clearedAt: Float64Array; length: number }

/**
 * What became of violations: which are over, who takes care of them, which repeat those. A violation that is over and
 * that nobody takes care of is three numbers; the rest of it is in the log.
 */
export type Violations = {
  ends: Ends
  /** by device and type */
  spells: Map<string, Spell>
  /** as many as made it worth while to look for those no longer needed */
  crowd: number
  /** by violation */
  acknowledged: Map<string, Acknowledgement>
  /** violation → the acknowledged one that it repeats */
  repeats: Map<string, string>
  /** by violation whose case is closed: who closed it */
  closed: Map<string, string>
  /** by violation: what late readings made of it; `after` null: it never was */
  revised: Map<string, { seq: number; after: FactData<'violation.revised'>['after']; isOfPast?: boolean }>
}

const FIRST_ROOM = 1024
/** Batches come late: what is over is kept for this much longer than it may be repeated, ms. */
const LATE = 24 * 60 * 60_000

export const emptyViolations = (): Violations => ({
  ends: roomFor(FIRST_ROOM),
  spells: new Map(),
  crowd: FIRST_ROOM,
  acknowledged: new Map(),
  repeats: new Map(),
  closed: new Map(),
  revised: new Map(),
})

/** A violation lasts from here on. One that opens again soon after its last is a repeat, where somebody takes care of that one. */
export function foldOpened(
  violations: Violations,
  { seq, at, data }: FactOf<'violation.opened'> | FactOf<'violation.found-late'>,
): void {
  const { ends, spells, repeats } = violations
  if (ends.length === ends.opened.length) violations.ends = larger(ends)
  violations.ends.opened[violations.ends.length++] = seq
  const key = keyOf(data)
  const last = spells.get(key)
  const taken = last?.taken ?? null
  const isAgain = taken !== null && last?.endedAt != null && isRepeat({ ...data, at }, taken, last.endedAt)
  if (isAgain) repeats.set(data.violationId, taken.violationId)
  const { violationId, threshold } = data
  spells.set(key, {
    violationId,
    seq,
    threshold,
    worst: Number.NaN,
    endedAt: null,
    taken: isAgain ? taken : null,
  })
  if (spells.size > violations.crowd) forgetOver(violations, at)
}

/** One that is over when it is found is not the last of its kind: others may have begun since. */
export function foldFoundLate(violations: Violations, fact: FactOf<'violation.found-late'>): void {
  const { seq, data } = fact
  if (data.clearedAt === null) {
    foldOpened(violations, fact)
    return
  }
  if (violations.ends.length === violations.ends.opened.length) violations.ends = larger(violations.ends)
  const { ends } = violations
  const row = ends.length++
  ends.opened[row] = seq
  ends.cleared[row] = seq
  ends.clearedAt[row] = data.clearedAt
}

/** Keeps what late readings made of a violation. Where it is the last of its device and type, its end is set, too. */
export function foldRevised(violations: Violations, { seq, data }: FactOf<'violation.revised'>): void {
  const { violationId, before, after, isOfPast } = data
  violations.revised.set(violationId, {
    seq,
    after: after && { ...after },
    ...(isOfPast && { isOfPast }),
  })
  const spell = violations.spells.get(keyOf(data))
  if (spell?.violationId !== violationId) return
  spell.endedAt = after === null ? before.openedAt : after.clearedAt
  if (spell.endedAt !== null) spell.worst = after?.worst ?? before.worst
}

/** A violation ends. One that late readings revised while it lasted ends in the revision, too. */
export function foldCleared(violations: Violations, { seq, at, data }: FactOf<'violation.cleared'>): void {
  const revised = violations.revised.get(data.violationId)
  if (revised?.after) Object.assign(revised.after, { clearedAt: at, worst: data.worst })
  if (revised) revised.seq = seq
  const spell = violations.spells.get(keyOf(data))
  if (spell?.violationId !== data.violationId) return
  spell.endedAt = at
  spell.worst = data.worst
  if (spell.taken?.violationId === data.violationId) spell.taken = takenOf(spell)
  const { ends } = violations
  const row = rowOf(ends, spell.seq)
  if (row === -1) return
  ends.cleared[row] = seq
  ends.clearedAt[row] = at
}

/** A device reports by another tracker: its last violations are that one's too. People may still name them by the one before. */
export function foldReplaced(
  { spells }: Violations,
  { data: { before, after } }: FactOf<'device.tracker-replaced'>,
): void {
  for (const type of Object.values(ViolationType.schema)) {
    const spell = spells.get(keyOf({ imei: before, type }))
    if (spell !== undefined) spells.set(keyOf({ imei: after, type }), spell)
    else spells.delete(keyOf({ imei: after, type }))
  }
}

/** A device is registered with an IMEI that another had: violations of that one are not repeated by its own. */
export function foldTakenAgain(
  { spells }: Violations,
  { data: { imei } }: FactOf<'device.registered'>,
): void {
  for (const type of Object.values(ViolationType.schema)) spells.delete(keyOf({ imei, type }))
}

/** The first who takes care of a violation does. One that is not the last of its kind any more cannot be repeated. */
export function foldAcknowledged(
  { acknowledged, spells }: Violations,
  { at, data }: FactOf<'violation.acknowledged'>,
): void {
  const { violationId, notificationId, userName, comment, reason } = data
  if (acknowledged.has(violationId)) return
  acknowledged.set(violationId, { notificationId, userName, comment, reason, at })
  const spell = spells.get(keyOf(data))
  if (spell?.violationId === violationId) spell.taken = takenOf(spell)
}

/** Who closes the case of a violation first did. */
export function foldCaseClosed({ closed }: Violations, { data }: FactOf<'case.closed'>): void {
  if (!closed.has(data.violationId)) closed.set(data.violationId, data.signOff.name)
}

/** When the violation that opened with this fact was over, and the fact that says so; undefined while it lasts. */
export function endOf(
  { ends, revised }: Violations,
  { seq, data }: Pick<Fact, 'seq'> & Partial<Pick<Fact, 'data'>>,
): { seq: number; at: number } | undefined {
  const now = data && 'violationId' in data ? revised.get(data.violationId) : undefined
  if (now?.after) return now.after.clearedAt === null ? undefined : { seq: now.seq, at: now.after.clearedAt }
  const row = rowOf(ends, seq)
  const cleared = row === -1 ? 0 : (ends.cleared[row] as number)
  return cleared === 0 ? undefined : { seq: cleared, at: ends.clearedAt[row] as number }
}

/** Whether late readings show that a violation never was. */
export const neverWas = ({ revised }: Violations, violationId: string): boolean =>
  revised.get(violationId)?.after === null

const keyOf = ({ imei, type }: Pick<FactData<'violation.shelved'>, 'imei' | 'type'>): string =>
  `${imei} ${type}`

const takenOf = ({ violationId, threshold, worst }: Spell) => ({ violationId, threshold, worst })

/** Spells that are over and can no longer be repeated are forgotten, once there may be many. */
function forgetOver(violations: Violations, now: number): void {
  for (const [key, { endedAt }] of violations.spells)
    if (endedAt !== null && endedAt + REPEAT_WITHIN + LATE < now) violations.spells.delete(key)
  violations.crowd = Math.max(FIRST_ROOM, violations.spells.size * 2)
}

function rowOf({ opened, length }: Ends, seq: number): number {
  let low = 0
  for (let high = length; low < high; ) {
    const middle = (low + high) >> 1
    if ((opened[middle] as number) < seq) low = middle + 1
    else high = middle
  }
  return low < length && opened[low] === seq ? low : -1
}

function roomFor(rows: number): Ends {
  return {
    opened: new Float64Array(rows),
    cleared: new Float64Array(rows),
    clearedAt: new Float64Array(rows),
    length: 0,
  }
}

/** The same without room for more: what is saved of them. */
export function withoutRoom(violations: Violations): Violations {
  const { opened, cleared, clearedAt, length } = violations.ends
  const used = (column: Float64Array) => column.subarray(0, length)
  const ends = { opened: used(opened), cleared: used(cleared), clearedAt: used(clearedAt), length }
  return { ...violations, ends }
}

function larger(ends: Ends): Ends {
  const room = roomFor(Math.max(FIRST_ROOM, ends.opened.length * 2))
  for (const name of ['opened', 'cleared', 'clearedAt'] as const) room[name].set(ends[name])
  return { ...room, length: ends.length }
}
