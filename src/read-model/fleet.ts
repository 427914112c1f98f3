import type { Fact } from '#machines/contracts/facts.ts'
import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import type { Progress } from '#machines/rules/catching-up.ts'
import { createColumns, type FleetColumns } from './columns.ts'
import { countsOf, emptyHistogram, type FleetCounts, histogramOf, type StateHistogram } from './counts.ts'
import { applyFact, concernsFleet, type FleetParts } from './fleet-facts.ts'
import { createGroups, type Groups } from './groups.ts'
import { isSame } from './is-same.ts'
import { areNamedAlike, type Names, readNames } from './names.ts'
import { rankOf } from './rank.ts'
import { columnsOf, createRowIndex, mergeFrame, type RowChanges, type RowIndex } from './rows.ts'

/**
 * `joined`: everything up to the frame's `seq` is known now. `gap`: something before it is missing. `stranger`: it joined,
 * but tells of a device nobody has named yet.
 */
export type Merged = 'joined' | 'gap' | 'stranger'

export type Fleet = {
  /** the position in the log up to which nothing is missing; undefined before the first snapshot */
  readonly seq: number | undefined
  /** grows with whatever changes; `order` with how bad things are, `structure` with devices, groups and names */
  readonly version: number
  readonly order: number
  readonly structure: number
  /** read only; its arrays are replaced when they grow */
  readonly columns: FleetColumns
  readonly names: Names
  readonly groups: Groups
  /** of the whole fleet; the same object while nothing in it changes */
  readonly counts: FleetCounts
  /** by device number: how far those have come that deliver their past */
  readonly progress: ReadonlyMap<number, Progress>
  /**
   * Replaces the fleet. What frames and facts of later positions brought stays, but for a fleet of another time. Names and groups
   * that are the same are no change of structure.
   */
  load(snapshot: FleetSnapshot, isOfAnotherTime?: boolean): void
  /** Takes a frame in, in whatever order and however often frames come. `now`: ms on the page's monotonic clock */
  merge(frame: LiveFrame, now: number): Merged
  /** Says that nothing of this fleet changed after `from` up to `to`; false where `from` is beyond what is known. */
  pass(from: number, to: number): boolean
  /** Takes in facts about groups and devices: new ones, names, moves, limits. Others are passed over. */
  apply(facts: readonly Fact[]): void
  /** Takes in how far devices have come: number, minutes that came, of how many (0: it is over). @param isWhole all others have not to */
  noteProgress(devices: readonly (readonly [no: number, came: number, of: number])[], isWhole: boolean): void
  /** Row of a device number, -1 where there is none; by imei: `names.rowOf`. */
  rowOf(deviceNo: number): number
  /** Called after each change, five times a second; whoever repaints waits for `nextFrame`. Answers how to stop. */
  subscribe(listener: () => void): () => void
  /** a map at rest draws what is new after so long, ms; undefined: as seldom as is enough for what is live */
  readonly drawEvery: number | undefined
  /** Calls back once, when a repaint for the fleet's sake keeps nobody waiting. */
  nextFrame(call: () => void): void
  /** Called with the row of one device at each newer reading, as it comes in; answers how to stop. */
  watch(deviceNo: number, listener: (row: number) => void): () => void
  /** Forgets everything, e.g. when somebody signs out. */
  clear(): void
}

/** Facts kept to be applied again to a snapshot that was made before them. */
const FACTS_KEPT = 1000

const noNames = () => readNames({ text: new Uint8Array(), textOffsets: new Uint32Array(1) })

/** All that is known of the fleet, and who is told. */
type State = {
  columns: FleetColumns
  rows: RowIndex
  names: Names
  groups: Groups
  /** devices of each state */
  histogram: StateHistogram
  counts: FleetCounts
  /** the `version` that `counts` are of */
  countsVersion: number
  seq: number | undefined
  /** of the last fact taken in, and of the last snapshot */
  factSeq: number
  snapshotSeq: number
  recent: Fact[]
  /** the names and groups of `structure`, as they came; undefined: others were told of since */
  loaded: { snapshot: FleetSnapshot; structure: number } | undefined
  version: number
  order: number
  structure: number
  readonly progress: Map<number, Progress>
  readonly listeners: Set<() => void>
  readonly watchers: Map<number, Set<(row: number) => void>>
}

/** Before the first snapshot, and after `clear`. */
function nothing() {
  return {
    columns: createColumns(0),
    rows: createRowIndex(),
    names: noNames(),
    groups: createGroups([]),
    histogram: emptyHistogram(),
    seq: undefined,
    factSeq: 0,
    snapshotSeq: Number.POSITIVE_INFINITY,
    recent: [],
    loaded: undefined,
  } satisfies Partial<State>
}

/**
 * The fleet as columns, outside React.
 * @param onNextFrame calls back once, before the next frame of the screen is drawn
 */
export function createFleet(onNextFrame: (call: () => void) => void, drawEvery?: number): Fleet {
  const state: State = {
    ...nothing(),
    counts: countsOf(emptyHistogram()),
    countsVersion: 0,
    version: 0,
    order: 0,
    structure: 0,
    progress: new Map(),
    listeners: new Set(),
    watchers: new Map(),
  }
  const changes = rowChangesOf(state)
  return {
    get seq() {
      return state.seq
    },
    get version() {
      return state.version
    },
    get order() {
      return state.order
    },
    get structure() {
      return state.structure
    },
    get columns() {
      return state.columns
    },
    get names() {
      return state.names
    },
    get groups() {
      return state.groups
    },
    get counts() {
      return countsNow(state)
    },
    progress: state.progress,
    noteProgress: (devices, isWhole) => noteProgress(state, devices, isWhole),
    load: (snapshot, isOfAnotherTime = false) => load(state, snapshot, isOfAnotherTime),
    merge: (frame, now) => merge(state, changes, frame, now),
    pass: (from, to) => pass(state, from, to),
    apply: (facts) => apply(state, facts),
    rowOf: (deviceNo) => state.rows.of(deviceNo),
    drawEvery,
    nextFrame: onNextFrame,
    subscribe(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
    watch: (deviceNo, listener) => watch(state, deviceNo, listener),
    clear() {
      Object.assign(state, nothing())
      state.progress.clear()
      restructured(state)
    },
  }
}

function load(state: State, snapshot: FleetSnapshot, isOfAnotherTime: boolean): void {
  const known = state.loaded?.structure === state.structure ? state.loaded.snapshot : undefined
  const isNamedAlike = known !== undefined && areNamedAlike(known, snapshot)
  Object.assign(state, columnsOf(snapshot, state.columns, state.rows, isOfAnotherTime))
  if (!isNamedAlike) {
    state.names = readNames(snapshot)
    state.groups = createGroups(snapshot.head.groups)
  }
  state.histogram = histogramOf(state.columns.state, state.columns.size)
  const { seq } = snapshot.head
  state.seq = seq
  state.snapshotSeq = seq
  const isApplied = applyAll(
    state,
    state.recent.filter((fact) => fact.seq > seq),
  )
  if (isNamedAlike && !isApplied) rankAnew(state)
  else restructured(state)
  state.loaded = isApplied
    ? undefined
    : { snapshot: isNamedAlike ? known : snapshot, structure: state.structure }
}

function merge(state: State, changes: RowChanges, frame: LiveFrame, now: number): Merged {
  const strangers = mergeFrame(state.columns, state.rows, frame, now, changes)
  const isGap = state.seq === undefined || frame.prevSeq > state.seq
  if (!isGap) state.seq = Math.max(state.seq ?? 0, frame.seq)
  changed(state)
  if (isGap) return 'gap'
  return strangers > 0 ? 'stranger' : 'joined'
}

function pass(state: State, from: number, to: number): boolean {
  if (state.seq === undefined || from > state.seq) return false
  state.seq = Math.max(state.seq, to)
  return true
}

function apply(state: State, facts: readonly Fact[]): void {
  const news: Fact[] = []
  for (const fact of facts) {
    if (fact.seq <= state.factSeq || !concernsFleet(fact)) continue
    state.factSeq = fact.seq
    state.recent.push(fact)
    if (fact.seq > state.snapshotSeq) news.push(fact)
  }
  if (state.recent.length > FACTS_KEPT) state.recent = state.recent.slice(-FACTS_KEPT)
  if (applyAll(state, news)) restructured(state)
}

/** @returns whether one of them changed something */
function applyAll(state: State, facts: readonly Fact[]): boolean {
  let any = false
  for (const fact of facts) any = applyFact(partsOf(state), fact) || any
  return any
}

function partsOf(state: State): FleetParts {
  const { columns, rows, names, groups, histogram } = state
  return {
    columns,
    rows,
    names,
    groups,
    setGroups(list) {
      state.groups = createGroups(list)
    },
    born(status) {
      histogram[status] = (histogram[status] as number) + 1
    },
  }
}

function rowChangesOf(state: State): RowChanges {
  return {
    state(row, before, after) {
      const { histogram } = state
      histogram[before] = (histogram[before] as number) - 1
      histogram[after] = (histogram[after] as number) + 1
      rank(state, row)
    },
    reading(row) {
      rank(state, row)
      for (const listener of state.watchers.get(state.columns.device[row] as number) ?? []) listener(row)
    },
  }
}

function rank(state: State, row: number): void {
  const { columns, groups } = state
  const before = columns.rank[row] as number
  const after = rankOf(columns, groups, row, before)
  if (after === before) return
  columns.rank[row] = after
  state.order++
}

function rankAnew(state: State): void {
  for (let row = 0; row < state.columns.size; row++) rank(state, row)
  state.order++
  changed(state)
}

function restructured(state: State): void {
  state.structure++
  rankAnew(state)
}

function changed(state: State): void {
  state.version++
  for (const listener of state.listeners) listener()
}

function countsNow(state: State): FleetCounts {
  if (state.countsVersion !== state.version) {
    const now = countsOf(state.histogram)
    if (!isSame(now, state.counts)) state.counts = now
    state.countsVersion = state.version
  }
  return state.counts
}

function noteProgress(
  state: State,
  devices: readonly (readonly [no: number, came: number, of: number])[],
  isWhole: boolean,
): void {
  const { progress } = state
  if (devices.length === 0 && !(isWhole && progress.size > 0)) return
  if (isWhole) progress.clear()
  for (const [no, came, of] of devices)
    if (of === 0) progress.delete(no)
    else progress.set(no, { came, of })
  changed(state)
}

function watch({ watchers }: State, deviceNo: number, listener: (row: number) => void): () => void {
  const those = watchers.get(deviceNo) ?? new Set()
  watchers.set(deviceNo, those.add(listener))
  return () => {
    those.delete(listener)
    if (those.size === 0 && watchers.get(deviceNo) === those) watchers.delete(deviceNo)
  }
}
