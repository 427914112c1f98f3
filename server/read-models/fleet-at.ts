import { setImmediate as breath } from 'node:timers/promises'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import { ON_TIME } from '#machines/contracts/readings.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { emptyLatest, type Latest } from '#machines/projections/latest.ts'
import { type Asker, createLine } from '../cluster/line.ts'
import { copyOfFleet, decodeFrame } from '../store/chunks/fleet-frame.ts'
import type { Frame } from '../store/frames.ts'
import { factsBetween } from '../store/log-follower.ts'
import type { Store, TelemetryStore } from '../store/store.ts'
import type { Cut } from './cut.ts'
import { type EventRequest, eventMinute } from './event-minutes.ts'
import {
  type IsRequested,
  type Known,
  lateBefore,
  type Otherwise,
  setSilent,
  setToKnown,
} from './fleet-now.ts'
import { keepingDays } from './kept-days.ts'
import type { NotificationIndex } from './notification-index.ts'
import type { ReadModels } from './read-models.ts'

/**
 * The fleet of a minute (since 1970). `seq`: all of the record up to there was known then; `latest`: what a frame holds of a fleet.
 */
export type FleetAt = { minute: number; seq: number; latest: Latest; directory: Directory }

export type Past = {
  /**
   * Looks at the fleet of a minute, `then` of the last one that was kept up to it: there and then, as what is looked at is used
   * again for other minutes. Of before the first frame both views are what is known now. Resolves with what was seen; undefined:
   * nothing was kept of then. Rejects with StoreUnavailable.
   * @param isRequested says of a device number whether its row is looked at: others are not reckoned; left out: all are
   */
  at<T>(
    minute: number,
    view: AsOfView,
    look: (fleet: FleetAt) => T,
    isRequested?: IsRequested,
  ): Promise<T | undefined>
  /** What of the record is meant by an instant, epoch ms; undefined: nothing was kept of then. Rejects with StoreUnavailable. */
  cut(at: number, view: AsOfView): Promise<Cut | undefined>
  /** The first minute that shows the violation before or after a time, or its end, epoch ms; see `eventMinute`. */
  event(requested: EventRequest): Promise<number | undefined>
  /** since when something is kept, and since when how it was shown; epoch ms. Rejects with StoreUnavailable */
  span(): Promise<{ from: number | undefined; framesFrom: number | undefined }>
  /** The same for somebody: companies take turns, and what is one too many of theirs rejects with OutOfLine. */
  lookedAtBy(asker: Asker): Past
}

/** Facts that say which companies, groups, devices and users there are, how they are called, and how limits are evaluated. */
const STRUCTURE_FACTS = [
  'company.registered',
  'company.settings-changed',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.evaluation-set',
  'device.registered',
  'device.updated',
  'device.tracker-replaced',
  'device.retired',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.password-set',
  'user.alerts-set',
  'group.fatigue-threshold-set',
] as const satisfies FactType[]

const MINUTE = 60_000
const DAY = 86_400_000
/** Folded at once: some 10 ms. */
const FACTS_A_BREATH = 1_000
/** Copied at once: some 5 ms. */
const DEVICES_A_BREATH = 10_000
/** Fleets that are unpacked at once: that of a minute and those beside it are asked for one after the other. */
const KEPT = 4
/** Looks of one person that wait: a page of then asks for a dozen things at once. */
const MOST_OF_ONE = 32

/** A directory and the last fact in it; `isHeld`: somebody may still read it, so that a copy of it is folded on. */
type Folded = { from: number; directory: Directory; isHeld: boolean }

type Reading = Known & {
  notifications: Pick<NotificationIndex, 'violationSpans' | 'violationNews'>
  store: Pick<Store, 'log' | 'frames' | 'telemetry'>
  readModels: Pick<ReadModels, 'directory' | 'latest' | 'settled' | 'seq' | 'onAdvance'>
  /** by minute, the last asked for last */
  kept: Map<number, { seq: number; latest: Latest }>
  /** the last directory that was folded anew */
  folded: Folded | undefined
  /** the directory as of the first frame, which all others are folded on from: what was before may be 100,000 devices */
  base: Folded
  /** where much is to be read anew it is read by whole days */
  days: TelemetryStore
}

/** The record as it was known at any minute that has a frame. One look at a time: each may take what the one before left. */
export function createPast(parts: Pick<Reading, 'store' | 'readModels' | 'notifications'>): Past {
  const days = keepingDays(parts.store.telemetry, parts.readModels)
  const base: Folded = { from: 0, directory: emptyDirectory(), isHeld: true }
  const reading: Reading = { ...parts, kept: new Map(), folded: undefined, base, days }
  const inLine = createLine(MOST_OF_ONE)
  const lookedAtBy = (asker?: Asker): Past => ({
    at: (minute, view, look, isRequested = () => true) =>
      inLine(async () => {
        const fleet = await fleetAt(reading, minute, view, isRequested)
        return fleet && look(fleet)
      }, asker),
    cut: (at, view) => inLine(() => cutAt(reading, at, view), asker),
    event: (requested) => eventMinute(parts, requested),
    span: () => spanOf(reading.store),
    lookedAtBy,
  })
  return lookedAtBy()
}

async function spanOf({ frames, telemetry }: Reading['store']): ReturnType<Past['span']> {
  const kept = await frames.span()
  const [day] = await telemetry.storedDays()
  const starts = [...(kept ? [kept.first * MINUTE] : []), ...(day !== undefined ? [day * DAY] : [])]
  return {
    from: starts.length === 0 ? undefined : Math.min(...starts),
    framesFrom: kept && kept.first * MINUTE,
  }
}

async function fleetAt(
  reading: Reading,
  minute: number,
  view: AsOfView,
  isRequested: IsRequested,
): Promise<FleetAt | undefined> {
  const frames = await framesTo(reading, minute)
  const last = frames.at(-1)
  if (last === undefined) return fleetBefore(reading, minute, isRequested)
  const then = {
    minute: last.minute,
    seq: last.seq,
    latest: await unpacked(reading, frames, last),
    directory: await directoryAt(reading, last.seq),
  }
  return view === 'then' ? then : knownNow(reading, then, minute, isRequested)
}

async function knownNow(
  reading: Reading,
  then: FleetAt,
  minute: number,
  isRequested: IsRequested,
): Promise<FleetAt> {
  const [at, keptAt] = [minute * MINUTE, then.minute * MINUTE]
  const fleet = { ...then, minute, latest: copyOfFleet(then.latest) }
  const late = await lateBefore(reading.store, fleet, at, isRequested)
  // as with what comes in on time: it may be missing for two minutes
  const isKept = at - keptAt <= ON_TIME
  const otherwise = isKept ? late : await withUnkept(reading, then, minute, late, isRequested)
  await setToKnown({ ...reading, store: { ...reading.store, telemetry: reading.days } }, fleet, otherwise, at)
  setSilent(fleet, isKept ? keptAt : at)
  return fleet
}

/**
 * Of a minute that was not kept, where what came on time is in no frame before it: with the late ones all devices that were heard
 * before the frame after it, or until now; any may have come to be in violation, or not to be.
 */
async function withUnkept(
  { store, readModels }: Reading,
  { latest }: FleetAt,
  minute: number,
  late: Otherwise,
  isRequested: IsRequested,
): Promise<Otherwise> {
  const next = await store.frames.next(minute)
  const after = next === undefined ? readModels.latest : decodeFrame(next.bytes, copyOfFleet(latest))
  const reread = new Set(late.reread)
  const retold = new Set<number>()
  for (let no = 0; no < latest.size; no++) {
    if (!isRequested(no)) continue
    retold.add(no)
    if ((after.readings.at[no] as number) > (latest.readings.at[no] as number)) reread.add(no)
  }
  return { reread: [...reread], retold }
}

async function cutAt(reading: Reading, at: number, view: AsOfView): Promise<Cut | undefined> {
  const last = (await framesTo(reading, Math.floor(at / MINUTE))).at(-1)
  const found =
    last === undefined
      ? await firstBefore(reading, at)
      : { seq: last.seq, directory: await directoryAt(reading, last.seq) }
  if (found === undefined) return undefined
  // whoever asked for it waits for other things before it is read
  if (reading.folded?.directory === found.directory) reading.folded.isHeld = true
  return { at, view: last === undefined ? 'now' : view, ...found }
}

/** What stood with the first frame, of an instant before it, epoch ms; undefined: nothing was stored yet. */
async function firstBefore(
  reading: Reading,
  at: number,
): Promise<Pick<Cut, 'seq' | 'directory'> | undefined> {
  const { log, frames, telemetry } = reading.store
  const [firstFact] = log.readFacts(0, { limit: 1 })
  const [firstDay = Number.POSITIVE_INFINITY] = await telemetry.storedDays()
  if (at < Math.min(firstDay * DAY, firstFact?.at ?? Number.POSITIVE_INFINITY)) return undefined
  const seq = (await firstFrame(frames))?.seq ?? reading.readModels.seq
  return { seq, directory: await directoryAt(reading, seq) }
}

/** Before the first frame: what is known of then now, in both views. */
async function fleetBefore(
  reading: Reading,
  minute: number,
  isRequested: IsRequested,
): Promise<FleetAt | undefined> {
  const at = minute * MINUTE
  const first = await firstBefore(reading, at)
  if (first === undefined) return undefined
  const { seq, directory } = first
  const latest = emptyLatest(directory.devices.length)
  latest.size = latest.readings.length = directory.devices.length
  const fleet = { minute, seq, latest, directory }
  const store = { ...reading.store, telemetry: reading.days }
  const reread = [...directory.devices.keys()].filter(isRequested)
  await setToKnown({ ...reading, store }, fleet, { reread, retold: new Set(reread) }, at)
  setSilent(fleet, at)
  return fleet
}

/** Frames up to a minute, from the last one that is unpacked already: while one plays the others would be read each minute. */
async function framesTo({ store, kept }: Reading, minute: number): Promise<Frame[]> {
  const nearest = Math.max(0, ...[...kept.keys()].filter((known) => known <= minute))
  const frames = await store.frames.upTo(minute, nearest)
  const [first] = frames
  const canBegin = first?.base === null || (first !== undefined && kept.get(first.minute)?.seq === first.seq)
  return canBegin ? frames : store.frames.upTo(minute)
}

/** From the last of these frames that is unpacked already, else from the first, which is whole; others have their turn between two. */
async function unpacked({ kept }: Reading, frames: Frame[], last: Frame): Promise<Latest> {
  const known = frames.findLastIndex(({ minute, seq }) => kept.get(minute)?.seq === seq)
  const before = kept.get(frames[known]?.minute ?? -1)
  let latest = before && known < frames.length - 1 ? copyOfFleet(before.latest) : before?.latest
  for (const { bytes } of frames.slice(known + 1)) {
    latest = decodeFrame(bytes, latest)
    await breath()
  }
  if (latest === undefined) throw new Error('there is no frame to begin with')
  kept.delete(last.minute)
  kept.set(last.minute, { seq: last.seq, latest })
  const [oldest] = kept.keys()
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return latest
}

/**
 * Today's where nothing of it has changed since; else folded on from the last one that was asked for, or from the base where that is
 * too late, and kept for as long as it stood.
 */
async function directoryAt(reading: Reading, seq: number): Promise<Directory> {
  const { log } = reading.store
  // the node that kept the frame may know more than this one
  await reading.readModels.settled(seq)
  const [next] = log.readFacts(seq, { types: [...STRUCTURE_FACTS], limit: 1 })
  if (next === undefined) return reading.readModels.directory
  const { folded } = reading
  const start = folded !== undefined && folded.from <= seq ? folded : await baseTo(reading, seq)
  // half folded it is nobody's
  reading.folded = undefined
  reading.folded = await foldOn(log, start, seq)
  return reading.folded.directory
}

/** The base brought to the first frame that is still kept; an empty one where this is after `seq`. */
async function baseTo(reading: Reading, seq: number): Promise<Folded> {
  const { log, frames } = reading.store
  const first = await firstFrame(frames)
  if (first === undefined || first.seq > seq) return { from: 0, directory: emptyDirectory(), isHeld: false }
  reading.base = { ...(await foldOn(log, reading.base, first.seq)), isHeld: true }
  return reading.base
}

async function firstFrame(frames: Reading['store']['frames']): Promise<Frame | undefined> {
  const kept = await frames.span()
  const [first] = kept === undefined ? [] : await frames.upTo(kept.first)
  return first
}

/** Some facts at a time, as there may be 100,000. */
async function foldOn(
  log: Reading['store']['log'],
  { from, directory, isHeld }: Folded,
  upTo: number,
): Promise<Folded> {
  const on = { from, directory, isHeld }
  let sinceBreath = 0
  for (const fact of factsBetween(log, STRUCTURE_FACTS, { after: from, upTo })) {
    if (on.isHeld) on.directory = await copyOf(on.directory)
    on.isHeld = false
    evolve(on.directory, fact as Fact)
    on.from = fact.seq
    if (++sinceBreath % FACTS_A_BREATH === 0) await breath()
  }
  return on
}

/** Another one like it. What is said of a device is replaced and never changed, so that its row alone is another. */
async function copyOf({ devices, numbers, ...rest }: Directory): Promise<Directory> {
  const copy: Directory = { ...structuredClone(rest), devices: [], numbers: new Map(numbers) }
  for (let from = 0; from < devices.length; from += DEVICES_A_BREATH) {
    for (const device of devices.slice(from, from + DEVICES_A_BREATH))
      if (device !== undefined) copy.devices[device.no] = { ...device }
    await breath()
  }
  return copy
}
