import type { Fact } from '#machines/contracts/facts.ts'
import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import type { Progress } from '#machines/rules/catching-up.ts'
import { createColumns, type FleetColumns } from './columns.ts'
import { countsOf, emptyHistogram, type FleetCounts, histogramOf, sameCounts } from './counts.ts'
import { applyFact, concernsFleet, type FleetParts } from './fleet-facts.ts'
import { createGroups, type Groups } from './groups.ts'
import { areNamedAlike, type Names, readNames } from './names.ts'
import { rankOf } from './rank.ts'
import { columnsOf, createRowIndex, mergeFrame, type RowChanges } from './rows.ts'

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

/**
 * The fleet as columns, outside React.
 * @param onNextFrame calls back once, before the next frame of the screen is drawn
 */
export function createFleet(onNextFrame: (call: () => void) => void, drawEvery?: number): Fleet {
  let columns = createColumns(0)
  let rows = createRowIndex()
  let names = noNames()
  let groups = createGroups([])
  let histogram = emptyHistogram()
  let counts = countsOf(histogram)
  let countsVersion = 0
  let seq: number | undefined
  let factSeq = 0
  let snapshotSeq = Number.POSITIVE_INFINITY
  let recent: Fact[] = []
  /** the names and groups of `structure`, as they came; undefined: others were told of since */
  let loaded: { snapshot: FleetSnapshot; structure: number } | undefined
  let version = 0
  let order = 0
  let structure = 0
  const progress = new Map<number, Progress>()
  const listeners = new Set<() => void>()
  const watchers = new Map<number, Set<(row: number) => void>>()

  function changed(): void {
    version++
    for (const listener of listeners) listener()
  }

  function rank(row: number): void {
    const before = columns.rank[row] as number
    const after = rankOf(columns, groups, row, before)
    if (after === before) return
    columns.rank[row] = after
    order++
  }

  const changes: RowChanges = {
    state(row, before, after) {
      histogram[before] = (histogram[before] as number) - 1
      histogram[after] = (histogram[after] as number) + 1
      rank(row)
    },
    reading(row) {
      rank(row)
      for (const listener of watchers.get(columns.device[row] as number) ?? []) listener(row)
    },
  }

  function rankAnew(): void {
    for (let row = 0; row < columns.size; row++) rank(row)
    order++
    changed()
  }

  function restructured(): void {
    structure++
    rankAnew()
  }

  const parts = (): FleetParts => ({
    columns,
    rows,
    names,
    groups,
    setGroups(list) {
      groups = createGroups(list)
    },
    born(state) {
      histogram[state] = (histogram[state] as number) + 1
    },
  })

  return {
    get seq() {
      return seq
    },
    get version() {
      return version
    },
    get order() {
      return order
    },
    get structure() {
      return structure
    },
    get columns() {
      return columns
    },
    get names() {
      return names
    },
    get groups() {
      return groups
    },
    get counts() {
      if (countsVersion !== version) {
        const now = countsOf(histogram)
        if (!sameCounts(now, counts)) counts = now
        countsVersion = version
      }
      return counts
    },
    progress,
    noteProgress(devices, isWhole) {
      if (devices.length === 0 && !(isWhole && progress.size > 0)) return
      if (isWhole) progress.clear()
      for (const [no, came, of] of devices)
        if (of === 0) progress.delete(no)
        else progress.set(no, { came, of })
      changed()
    },
    load(snapshot, isOfAnotherTime = false) {
      const known = loaded?.structure === structure ? loaded.snapshot : undefined
      const isNamedAlike = known !== undefined && areNamedAlike(known, snapshot)
      ;({ columns, rows } = columnsOf(snapshot, columns, rows, isOfAnotherTime))
      if (!isNamedAlike) {
        names = readNames(snapshot)
        groups = createGroups(snapshot.head.groups)
      }
      histogram = histogramOf(columns.state, columns.size)
      seq = snapshot.head.seq
      snapshotSeq = seq
      let isApplied = false
      for (const fact of recent) if (fact.seq > seq) isApplied = applyFact(parts(), fact) || isApplied
      if (isNamedAlike && !isApplied) rankAnew()
      else restructured()
      loaded = isApplied ? undefined : { snapshot: isNamedAlike ? known : snapshot, structure }
    },
    merge(frame, now) {
      const strangers = mergeFrame(columns, rows, frame, now, changes)
      const isGap = seq === undefined || frame.prevSeq > seq
      if (!isGap) seq = Math.max(seq ?? 0, frame.seq)
      changed()
      if (isGap) return 'gap'
      return strangers > 0 ? 'stranger' : 'joined'
    },
    pass(from, to) {
      if (seq === undefined || from > seq) return false
      seq = Math.max(seq, to)
      return true
    },
    apply(facts) {
      let any = false
      for (const fact of facts) {
        if (fact.seq <= factSeq || !concernsFleet(fact)) continue
        factSeq = fact.seq
        recent.push(fact)
        if (fact.seq > snapshotSeq) any = applyFact(parts(), fact) || any
      }
      if (recent.length > FACTS_KEPT) recent = recent.slice(-FACTS_KEPT)
      if (any) restructured()
    },
    rowOf: (deviceNo) => rows.of(deviceNo),
    drawEvery,
    nextFrame: onNextFrame,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch(deviceNo, listener) {
      const those = watchers.get(deviceNo) ?? new Set()
      watchers.set(deviceNo, those.add(listener))
      return () => {
        those.delete(listener)
        if (those.size === 0 && watchers.get(deviceNo) === those) watchers.delete(deviceNo)
      }
    },
    clear() {
      columns = createColumns(0)
      rows = createRowIndex()
      names = noNames()
      groups = createGroups([])
      histogram = emptyHistogram()
      seq = undefined
      factSeq = 0
      snapshotSeq = Number.POSITIVE_INFINITY
      recent = []
      loaded = undefined
      progress.clear()
      restructured()
    },
  }
}
