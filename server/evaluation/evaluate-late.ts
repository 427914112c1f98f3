import type { FactOf, NewFact } from '#machines/contracts/facts.ts'
import { toUnits } from '#machines/contracts/readings.ts'
import { PLACE as STATUS } from '#machines/device-status/fold.ts'
import {
  type Episode,
  type Published,
  type PublishedOfDevices,
  publishedOf,
} from '#machines/projections/episodes.ts'
import { matchSpells } from '#machines/rules/episodes.ts'
import { type Quantity, quantityOf, violationOf, worse } from '#machines/rules/limits.ts'
import { PLACE as SENSOR } from '#machines/sensor/fold.ts'
import { PLACE } from '#machines/violation/fold.ts'
import { unpackReadings } from '../store/packed-readings.ts'
import type { TelemetryStore } from '../store/store.ts'
import {
  beginOf,
  type Course,
  type FoldAnew,
  foldCourse,
  foldStatus,
  isCalmAt,
  type KnownEpisode,
  type Lasting,
} from './fold-anew.ts'
import type { LateOfDevice } from './late-readings.ts'
import type { DeviceLimits, LimitsTable } from './limits.ts'
import { changedBetween, limitsAt, type PastLimits } from './past-limits.ts'
import { keyOf, type RuleState, violationIdOf } from './rule-state.ts'

const DAY = 86_400_000
/** A violation is followed back for so many days at most. */
const DAYS_BACK = 31
/** Read at first: mostly it is enough. */
const FIRST_LOOK = 6 * 3_600_000
/** The time of a reading that was sent in ms may be known of the same reading in seconds. */
const SAME = 1_000
const QUANTITIES = ['temperature', 'humidity'] as const

/** What it takes to evaluate the late readings of a device in their place. */
export type LateEvaluation = {
  readonly ruleState: RuleState
  readonly table: LimitsTable
  readonly past: PastLimits
  readonly published: PublishedOfDevices
  readonly telemetry: Pick<TelemetryStore, 'packed'>
  /** readings before this time, epoch ms, are none of the record's, or not all of them are kept: nothing is concluded of before */
  readonly recordFrom: number
}

/**
 * Evaluates a device anew where its late readings belong, and where that reaches the present has the live evaluation go on from
 * there. Answers what is otherwise than it was published. Where it rejects, with StoreUnavailable or another error, nothing is changed.
 * @param upTo the log up to which readings are evaluated
 */
export async function evaluateLate(evaluation: LateEvaluation, no: number, upTo: number): Promise<NewFact[]> {
  const { ruleState, table, published, recordFrom } = evaluation
  const marked = ruleState.late.get(no)
  if (marked === undefined) return []
  // retired before releases forgot its late readings with it
  if (table.devices[no] === undefined || marked.last < recordFrom) {
    ruleState.late.delete(no)
    return []
  }
  const mark = { ...marked, first: Math.max(marked.first, recordFrom) }
  const imei = table.imeis[no] as string
  const known = publishedOf(published, imei)
  const anew = await readAnew(evaluation, no, mark, known, upTo)
  const lasting = await lastingIn(evaluation, no, known, anew, upTo)
  if (anew.readings.length === 0) {
    ruleState.late.delete(no)
    return []
  }
  const about = { no, imei, name: table.names[no] as string, companyId: table.companyIds[no] ?? null, mark }
  const names = new Map<KnownEpisode, string>()
  const courses = QUANTITIES.map((quantity) => foldCourse(quantity, anew, lasting[quantity]))
  const facts = courses.flatMap((course) => compare(about, known, course, names))
  const isSilent = ruleState.status.place[no] === STATUS.offline
  facts.push(...compareStatus(about, known, anew, isSilent))
  // all that can fail is done: from here on the live evaluation is changed
  for (const course of courses) if (course.isPresent) takeOver(ruleState, about, course, names, facts)
  ruleState.late.delete(no)
  return facts.sort((a, b) => a.at - b.at)
}

/** The violations that are published as lasting where a device is evaluated anew from, as bad as they were by then. */
async function lastingIn(
  evaluation: LateEvaluation,
  no: number,
  known: Published,
  anew: FoldAnew,
  upTo: number,
): Promise<{ [Q in Quantity]?: Lasting | undefined }> {
  const lasting: { [Q in Quantity]?: Lasting } = {}
  for (const quantity of QUANTITIES) {
    const at = beginOf(quantity, anew)
    const one = at === undefined ? undefined : lastingAt(evaluation, no, known, quantity, at)
    if (at === undefined || one === undefined) continue
    one.episode.worst = await worstBefore(evaluation, no, quantity, one, at, upTo)
    lasting[quantity] = one
  }
  return lasting
}

/**
 * How bad a violation was before a time: a late reading may say that it ended before it was as bad as it was published. As it was published
 * where its readings are not kept from its beginning on.
 */
async function worstBefore(
  { telemetry }: LateEvaluation,
  no: number,
  quantity: Quantity,
  { episode: { since, worst: worstPublished }, place }: Lasting,
  at: number,
  upTo: number,
): Promise<number> {
  const readings = unpackReadings(await telemetry.packed(no, since, at, upTo), since, at)
  if (readings.length === 0 || (readings.at[0] as number) - since >= SAME) return worstPublished
  const side = place === PLACE.aboveViolated ? 'high' : 'low'
  let worst: number | undefined
  for (let row = 0; row < readings.length; row++) {
    const value = toUnits(quantity, readings[quantity][row] as number)
    if (value !== undefined) worst = worst === undefined ? value : worse(side, worst, value)
  }
  return worst ?? worstPublished
}

/** The violation that is published as lasting at a time. While it is open the live evaluation knows best how bad it was. */
function lastingAt(
  { ruleState }: LateEvaluation,
  no: number,
  { episodes }: Published,
  quantity: Quantity,
  at: number,
): Lasting | undefined {
  for (const { violationId: _, seq: __, ...episode } of episodes.values()) {
    if (
      quantityOf(episode.type) !== quantity ||
      episode.since >= at ||
      (episode.clearedAt ?? Number.POSITIVE_INFINITY) <= at
    )
      continue
    const live = ruleState[quantity]
    const isLive = episode.clearedAt === null && live.since[no] === episode.since
    const worst = isLive ? (live.worst[no] as number) : episode.worst
    const place = episode.type.startsWith('HIGH') ? PLACE.aboveViolated : PLACE.belowViolated
    const unsaid = { delaySeconds: 0, clearMargin: 0, value: worst, lat: null, lng: null, lates: 0 }
    return { place, episode: { ...unsaid, ...episode, worst, clearedAt: null } }
  }
  return undefined
}

/** What is known of before the record began: readings so far apart (ms), from `from` on (epoch ms). */
export type KnownPast = { from: number; spacing: number }

/**
 * Evaluates a device that was beyond a limit when the record began from where that began, in readings of before the record.
 * Answers what is otherwise than it was published, and has the live evaluation go on from there where it still is.
 */
export async function evaluateBack(
  evaluation: LateEvaluation,
  no: number,
  upTo: number,
  { from, spacing }: KnownPast,
): Promise<NewFact[]> {
  const { ruleState, table, past, published, recordFrom } = evaluation
  if (table.devices[no] === undefined) return []
  const imei = table.imeis[no] as string
  const known = publishedOf(published, imei)
  const limits = (at: number): DeviceLimits => {
    const now = limitsAt(table, past, no, at) as DeviceLimits
    return at < recordFrom ? apart(now, spacing) : now
  }
  const begun = { first: recordFrom, last: recordFrom, receivedFrom: recordFrom, receivedTo: recordFrom }
  const mark = { ...begun, fromSeq: 0, toSeq: 0 }
  const anew = await readAnew({ ...evaluation, recordFrom: from }, no, mark, known, upTo)
  if (anew.readings.length === 0) return []
  const about = { no, imei, name: table.names[no] as string, companyId: table.companyIds[no] ?? null, mark }
  const names = new Map<KnownEpisode, string>()
  // what ended before the record began is published by the warm-up, before or after this
  const isMeant: IsMeant = ({ clearedAt }) => (clearedAt ?? recordFrom) >= recordFrom
  const courses = QUANTITIES.map((quantity) => foldCourse(quantity, { ...anew, limits }))
  const facts = courses.flatMap((course) => compare(about, known, course, names, isMeant).map(ofPast))
  for (const course of courses) if (course.isPresent) takeOver(ruleState, about, course, names, facts)
  return facts.sort((a, b) => a.at - b.at)
}

/** Readings of the past are further apart than those that are sent: that is no silence. */
function apart({ temperature, humidity, patience }: DeviceLimits, spacing: number): DeviceLimits {
  const wider = (limits: DeviceLimits['temperature']) => ({ ...limits, gap: Math.max(limits.gap, spacing) })
  return { temperature: wider(temperature), humidity: wider(humidity), patience }
}

/** What is over when it is found is published as the warm-up does, and nobody is disturbed by it. */
function ofPast(fact: NewFact): NewFact {
  if (fact.type === 'violation.revised') return { ...fact, data: { ...fact.data, isOfPast: true } }
  if (fact.type !== 'violation.found-late' || fact.data.clearedAt === null) return fact
  const { receivedFrom: _, receivedTo: __, readingsLate: ___, clearedAt, ...found } = fact.data
  const durationSeconds = Math.round((clearedAt - found.since) / 1000)
  const data = { ...found, clearedAt, durationSeconds, reason: 'back-inside' as const }
  return { ...fact, type: 'violation.found', data }
}

/** `name`: what violations of the device are called by. */
type About = { no: number; imei: string; name: string; companyId: string | null; mark: LateOfDevice }

/** The readings of a device from the last one well inside its limits before the first late one to the newest evaluated. */
async function readAnew(
  { ruleState, table, past, telemetry, recordFrom }: LateEvaluation,
  no: number,
  mark: LateOfDevice,
  known: Published,
  upTo: number,
): Promise<FoldAnew> {
  const limits = (at: number) => limitsAt(table, past, no, at) as DeviceLimits
  const isChanged = (from: number, to: number) => changedBetween(past, no, from, to)
  const to = Math.max(mark.last, ruleState.status.heardAt[no] as number) + 1
  const earliest = Math.max(recordFrom, mark.first - DAYS_BACK * DAY)
  for (let back = FIRST_LOOK; ; back = Math.min(back * 4, DAYS_BACK * DAY)) {
    const from = Math.max(earliest, mark.first - back)
    const readings = unpackReadings(await telemetry.packed(no, from, to, upTo), from, to)
    const anew: FoldAnew = { readings, first: mark.first, last: mark.last, limits, isChanged }
    if (from === earliest || QUANTITIES.every((quantity) => isEnough(quantity, anew, known))) return anew
  }
}

/** Whether these readings begin where a quantity was inside: there is one well inside, or nothing is measured and nothing lasts. */
function isEnough(
  quantity: Quantity,
  { readings, first, limits }: FoldAnew,
  { episodes }: Published,
): boolean {
  let isMeasured = false
  for (let row = 0; row < readings.length && (readings.at[row] as number) < first; row++) {
    if (isCalmAt(quantity, readings, row, limits)) return true
    isMeasured ||= toUnits(quantity, readings[quantity][row] as number) !== undefined
  }
  if (isMeasured) return false
  for (const { type, since, clearedAt } of episodes.values())
    if (quantityOf(type) === quantity && since < first && (clearedAt ?? first) >= first) return false
  return true
}

type IsMeant = (one: Pick<Episode, 'clearedAt'>) => boolean

/** What is to be said of violations that are otherwise than they were published; notes what those in the course are called. */
function compare(
  about: About,
  published: Published,
  course: Course,
  names: Map<KnownEpisode, string>,
  isMeant: IsMeant = () => true,
): NewFact[] {
  const { imei, name, companyId, mark } = about
  const old = [...published.episodes.values()].filter(
    (one) =>
      quantityOf(one.type) === course.quantity &&
      one.since <= course.to &&
      (one.clearedAt ?? Number.POSITIVE_INFINITY) > course.from &&
      isMeant(one),
  )
  // what began before all that is read here is not known better
  const [inside, before] = [
    old.filter((one) => one.since >= course.from),
    old.filter((one) => one.since < course.from),
  ]
  const beside = matchSpells<Episode, KnownEpisode>(before, course.episodes.filter(isMeant))
  const { kept, gone, found } = matchSpells<Episode, KnownEpisode>(inside, beside.found)
  const received = { receivedFrom: mark.receivedFrom, receivedTo: mark.receivedTo }
  const revised = (before: Episode, after: KnownEpisode | null, readingsLate: number): NewFact => {
    const { violationId, type } = before
    const data = { violationId, imei, type, before: fieldsOf(before), after: after && fieldsOf(after) }
    const at = Math.min(before.openedAt, after?.openedAt ?? before.openedAt)
    return { type: 'violation.revised', at, companyId, data: { ...data, ...received, readingsLate } }
  }
  const facts: NewFact[] = []
  for (const [before, after] of [...beside.kept, ...kept]) {
    names.set(after, before.violationId)
    // what was read of one that began before all that is read here may be its end, and no more
    const isBeside = before.since < course.from && before.since !== after.since
    if (!isBeside && !isSame(before, after)) facts.push(revised(before, after, after.lates))
  }
  for (const before of gone) facts.push(revised(before, null, 0))
  for (const one of found) {
    const { lates, openedAt, isSinceBefore: _, ...episode } = one
    const violationId = freeName(published, violationIdOf(name, one.type, one.since))
    names.set(one, violationId)
    const data = { ...episode, violationId, imei, ...received, readingsLate: lates }
    facts.push({ type: 'violation.found-late', at: openedAt, companyId, data })
  }
  return facts
}

/** The live evaluation goes on from where the course ended. */
function takeOver(
  ruleState: RuleState,
  { no, imei, companyId }: About,
  { quantity, violations, sensors, episodes, to }: Course,
  names: Map<KnownEpisode, string>,
  facts: NewFact[],
): void {
  const live = ruleState[quantity]
  for (const name of ['place', 'lastAt', 'value', 'limit', 'since', 'worst'] as const)
    live[name][no] = violations[name][0] as number
  const readings = violations.readings.get(0)
  if (readings === undefined) live.readings.delete(no)
  else live.readings.set(no, readings)
  const fitted = quantity === 'temperature' ? ruleState.thermometer : ruleState.hygrometer
  const wasUnplugged = fitted.place[no] === SENSOR.unplugged
  const isUnplugged = sensors.place[0] === SENSOR.unplugged
  for (const name of ['place', 'lastAt', 'measuredAt', 'apart'] as const)
    fitted[name][no] = sensors[name][0] as number
  if (quantity === 'temperature' && wasUnplugged !== isUnplugged)
    facts.push({
      type: isUnplugged ? 'sensor.unplugged' : 'sensor.plugged-in',
      at: to,
      companyId,
      data: { imei },
    })
  for (const side of ['high', 'low'] as const)
    ruleState.names.delete(keyOf(imei, violationOf(quantity, side)))
  const open = episodes.at(-1)
  const violationId = open && names.get(open)
  if (
    open?.clearedAt === null &&
    violationId !== undefined &&
    violationId !== violationIdOf(imei, open.type, open.since)
  )
    ruleState.names.set(keyOf(imei, open.type), violationId)
}

/**
 * What was published of late readings before the evaluator was struck down: the state it had then is taken from that, so that
 * nothing is published anew that follows from it.
 */
export function latePublishedBefore(
  ruleState: RuleState,
  table: LimitsTable,
  { type, data }: FactOf<'violation.found-late'> | FactOf<'violation.revised'>,
): void {
  const no = table.numbers.get(data.imei)
  if (no === undefined || no >= ruleState.devices) return
  const columns = ruleState[quantityOf(data.type)]
  const now = type === 'violation.revised' ? data.after : data
  const key = keyOf(data.imei, data.type)
  if (now !== null && now.clearedAt === null) {
    columns.place[no] = data.type.startsWith('HIGH') ? PLACE.aboveViolated : PLACE.belowViolated
    columns.since[no] = now.since
    columns.limit[no] = now.threshold
    columns.worst[no] = now.worst
    columns.readings.delete(no)
    ruleState.names.delete(key)
    if (data.violationId !== violationIdOf(data.imei, data.type, now.since))
      ruleState.names.set(key, data.violationId)
  } else if (
    type === 'violation.revised' &&
    data.before.clearedAt === null &&
    columns.since[no] === data.before.since
  ) {
    columns.place[no] = PLACE.inside
    columns.readings.delete(no)
    ruleState.names.delete(key)
  }
}

/** Spans in which a device was not what was published. @param isSilent by now it is offline */
function compareStatus(
  { imei, companyId }: About,
  { status }: Published,
  anew: FoldAnew,
  isSilent: boolean,
): NewFact[] {
  const { readings, limits } = anew
  const from = Math.max(readings.at[0] as number, status[0]?.at ?? Number.POSITIVE_INFINITY)
  const last = readings.at[readings.length - 1] as number
  const statusAt = (at: number) => status.findLast((one) => one.at <= at)?.to
  const before = statusAt(from)
  if (before === undefined) return []
  const spans = foldStatus(anew, before)
  const knownAt = (at: number) => spans.findLast((one) => one.from <= at)?.to ?? before
  // after its last reading it was online for as long as it is waited for
  const to = isSilent && knownAt(last) === 'online' ? last + limits(last).patience : last
  const borders = [...status.map(({ at }) => at), ...spans.map((span) => span.from), from]
  const facts: (NewFact & { type: 'device-status.revised' })[] = []
  const edges = [...new Set(borders.filter((one) => one >= from && one < to))].sort((a, b) => a - b)
  for (const [i, at] of edges.entries()) {
    const until = edges[i + 1] ?? to
    const [was, is] = [statusAt(at), knownAt(at)]
    if (was === undefined || was === is) continue
    const last = facts.at(-1)?.data
    if (last !== undefined && last.to === at && last.before === was && last.after === is) last.to = until
    else {
      const data = { imei, from: at, to: until, before: was, after: is }
      facts.push({ type: 'device-status.revised', at, companyId, data })
    }
  }
  return facts
}

const fieldsOf = ({
  since,
  openedAt,
  clearedAt,
  threshold,
  worst,
  isSinceBefore,
}: Omit<Episode, 'violationId' | 'seq' | 'type'>) => ({
  since,
  openedAt,
  clearedAt,
  threshold,
  worst,
  ...(isSinceBefore && { isSinceBefore }),
})

function isSame(old: Episode, known: KnownEpisode): boolean {
  if (Math.abs(old.since - known.since) >= SAME) return false
  if (known.isSinceBefore === true && old.isSinceBefore !== true) return false
  if (old.clearedAt === null || known.clearedAt === null) return old.clearedAt === known.clearedAt
  return Math.abs(old.clearedAt - known.clearedAt) < SAME && old.worst === known.worst
}

/** A name that no violation was published under. */
function freeName({ episodes, gone }: Published, name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}-${n}`
    if (!episodes.has(free) && !gone.has(free)) return free
  }
}
