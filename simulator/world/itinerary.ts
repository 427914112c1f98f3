/**
 * What a device does: a vehicle loads, drives, delivers, rests; a warehouse opens its doors. Time is cut into blocks; each block is
 * planned from its number alone and starts and ends at home, so any moment can be reached without going through those before.
 */
import { hash32, PURPOSE } from './random.ts'
import type { Route } from './roads.ts'
import { DAY, HOUR } from './weather.ts'

const MINUTE = 60_000

export const PHASE = { parked: 0, standing: 1, doorOpen: 2, driving: 3 } as const

/** What a device's plans are made from; times in ms, `home`: driving hours from the route's start to where it lives. */
export type Habits = {
  key: number
  route: Route | undefined
  home: number
  away: number
  /** slower or faster than the road's usual truck */
  pace: number
  blockLength: number
  blockOffset: number
  /** local quarter of the day (0–3) of block 0's start, for what rests at night */
  utcOffset: number
}

/**
 * A block's phases: phase `i` starts at `start[i]` and ends where the next starts, the last at `until`.
 * `place[i]`: driving hours along the route at its start; while driving it ends at `place[i + 1]`.
 */
export type Plan = {
  block: number
  from: number
  until: number
  start: Float64Array
  place: Float64Array
  kind: Uint8Array
}

/** How long a block of this route must be: the slowest day still ends in it, half days for a long haul. */
export function blockLengthOf(route: Route | undefined): number {
  if (route === undefined || isLocal(route)) return 6 * HOUR
  const driving = (2 * (route.hours.at(-1) as number)) / 0.84
  const rests = (driving / 2.4) * 0.8 + Math.floor(driving / 8) * 7.5
  return Math.ceil((driving + rests + 6) / 12) * (DAY / 2)
}

/** A way of little more than an hour is a day's delivery work, else a long haul. */
export const isLocal = (route: Route): boolean => (route.hours.at(-1) as number) < 1.2

/** The plan of the block in which `at` lies. */
export function planAt(habits: Habits, at: number): Plan {
  return planOf(habits, Math.floor((at - habits.blockOffset) / habits.blockLength))
}

function planOf(habits: Habits, block: number): Plan {
  const from = habits.blockOffset + block * habits.blockLength
  const draft = new Draft(habits, block, from)
  if (habits.route === undefined) storeQuarter(draft)
  else if (isLocal(habits.route)) deliveryQuarter(draft)
  else longHaul(draft)
  return draft.plan(from + habits.blockLength)
}

class Draft {
  readonly habits: Habits
  readonly block: number
  readonly from: number
  now: number
  place: number
  private draws = 0
  private readonly starts: number[] = []
  private readonly places: number[] = []
  private readonly kinds: number[] = []

  constructor(habits: Habits, block: number, from: number) {
    this.habits = habits
    this.block = block
    this.from = from
    this.now = from
    this.place = habits.home
  }

  /** the next number of this block's own stream */
  draw(low = 0, high = 1): number {
    const h = hash32(this.habits.key, PURPOSE.plan, this.block * 1024 + this.draws++)
    return low + ((high - low) * h) / 0x1_0000_0000
  }

  stay(kind: number, minutes: number): void {
    this.push(kind)
    this.now += minutes * MINUTE
  }

  /** Doors open and close a few times while goods are moved. */
  handle(openings: number, low: number, high: number): void {
    this.stay(PHASE.standing, this.draw(2, 6))
    for (let i = 0; i < openings; i++) {
      this.stay(PHASE.doorOpen, this.draw(low, high))
      this.stay(PHASE.standing, this.draw(4, 12))
    }
  }

  drive(to: number): void {
    const hours = Math.abs(to - this.place) / (this.habits.pace * this.draw(0.95, 1.05))
    if (hours < 1e-4) return
    this.push(PHASE.driving)
    this.now += hours * HOUR
    this.place = to
  }

  plan(until: number): Plan {
    this.push(PHASE.parked)
    return {
      block: this.block,
      from: this.from,
      until,
      start: Float64Array.from(this.starts),
      place: Float64Array.from(this.places),
      kind: Uint8Array.from(this.kinds),
    }
  }

  /** local hour of the day, 0–24 */
  hour(): number {
    return ((((this.now + this.habits.utcOffset) % DAY) + DAY) % DAY) / HOUR
  }

  private push(kind: number): void {
    this.starts.push(Math.round(this.now))
    this.places.push(this.place)
    this.kinds.push(kind)
  }
}

/** Six hours of a delivery van: rounds of a few customers by day, mostly parked at night. */
function deliveryQuarter(draft: Draft): void {
  const { home, away, pace, blockLength } = draft.habits
  const hour = draft.hour()
  const works = draft.draw() < (hour < 3.5 || hour >= 21.5 ? 0.12 : 0.9)
  draft.stay(PHASE.parked, draft.draw(2, works ? 40 : 60))
  if (!works) return
  const driving = ((2 * Math.abs(away - home)) / (pace * 0.95)) * 60
  const end = draft.from + blockLength
  for (;;) {
    // a round's loading takes at most 44 minutes, a customer 24
    const customers = Math.floor(((end - draft.now) / MINUTE - driving - 44) / 24)
    if (customers < 1) return
    draft.handle(2, 3, 7)
    const stops = Math.min(customers, 1 + Math.floor(draft.draw(0, 3)))
    const farthest = home + (away - home) * draft.draw(0.55, 1)
    for (let i = 1; i <= stops; i++) {
      draft.drive(home + ((farthest - home) * (i - draft.draw(0, 0.4))) / stops)
      draft.handle(1, 2, 6)
    }
    draft.drive(home)
    draft.stay(PHASE.parked, draft.draw(10, 35))
  }
}

/** There and back: loading, rests every few hours at a town on the way, a sleep after a day's driving. */
function longHaul(draft: Draft): void {
  const { home, away } = draft.habits
  draft.stay(PHASE.parked, draft.draw(0, 50))
  draft.handle(4, 4, 8)
  let awake = journey(draft, away, 0)
  draft.handle(4, 4, 9)
  const waits = draft.draw(20, 70)
  draft.stay(PHASE.parked, waits)
  awake = journey(draft, home, awake)
}

/** Drives to `goal` with rests; answers the hours driven since the last sleep. */
function journey(draft: Draft, goal: number, awakeBefore: number): number {
  const route = draft.habits.route as Route
  const forth = goal > draft.place ? 1 : -1
  let awake = awakeBefore
  for (;;) {
    const stint = draft.draw(2.4, 3.6)
    const wished = draft.place + forth * stint
    const left = Math.abs(goal - draft.place)
    if (left <= stint + 0.7) {
      draft.drive(goal)
      return awake + left
    }
    const halt = nearestHalt(route.halts, wished, draft.place + forth, goal - forth * 0.2, forth)
    awake += Math.abs(halt - draft.place)
    draft.drive(halt)
    if (awake > 8.5) {
      draft.stay(PHASE.parked, draft.draw(330, 430))
      awake = 0
    } else draft.stay(PHASE.parked, draft.draw(18, 45))
  }
}

/** The town nearest to where one wishes to rest, else the roadside there. */
function nearestHalt(halts: number[], wished: number, first: number, last: number, forth: number): number {
  let best = wished
  let gap = 0.6
  for (const halt of halts) {
    const off = Math.abs(halt - wished)
    if (off < gap && (halt - first) * forth > 0 && (last - halt) * forth > 0) {
      best = halt
      gap = off
    }
  }
  return best
}

/** Six hours of a cold store: lorries at the dock by day, hardly any by night. */
function storeQuarter(draft: Draft): void {
  const hour = draft.hour()
  const busy = hour >= 3 && hour < 21
  const openings = Math.floor(draft.draw(0, busy ? 7 : 2))
  const gap = 320 / (openings + 1)
  for (let i = 0; i < openings; i++) {
    draft.stay(PHASE.parked, draft.draw(gap * 0.4, gap * 0.9))
    draft.stay(PHASE.doorOpen, draft.draw(3, Math.min(14, gap * 0.3)))
  }
}
