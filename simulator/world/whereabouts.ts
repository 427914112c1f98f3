/** Where a device is and what it does there, by its plan. */

import type { Body } from './body.ts'
import { PHASE, type Plan, planAt } from './itinerary.ts'
import { hash32, PURPOSE } from './random.ts'
import type { Route } from './roads.ts'
import type { Air } from './weather.ts'
import { HOUR } from './weather.ts'

export class Whereabouts {
  private readonly body: Body
  private plan: Plan | undefined
  /** index of the plan's phase, and when it ends */
  private at = 0
  until = Number.NEGATIVE_INFINITY
  /** where on the route: the point behind, and the share of the way to the next */
  point = 0
  share = 0

  constructor(body: Body) {
    this.body = body
  }

  lift(): void {
    this.until = Number.NEGATIVE_INFINITY
    this.plan = undefined
  }

  /** What it does now (PHASE). */
  phase(): number {
    return this.plan?.kind[this.at] ?? PHASE.parked
  }

  /** Whether it drives towards its route's start. */
  isReturning(): boolean {
    const { plan, at } = this
    if (!plan) return false
    const here = plan.place[at] as number
    return (plan.place[at + 1] ?? here) < here
  }

  /** Forward to `at`, or anywhere after `lift`. */
  move(at: number): void {
    if (at < this.until) return
    let plan = this.plan
    if (!plan || at < plan.from || at >= plan.until) {
      plan = planAt(this.body.habits, at)
      this.plan = plan
      this.at = 0
    }
    if (at < (plan.start[this.at] as number)) this.at = 0
    while (this.at + 1 < plan.start.length && at >= (plan.start[this.at + 1] as number)) this.at++
    // a late evening may run past the block, where the next one takes over
    this.until = Math.min(plan.until, plan.start[this.at + 1] ?? plan.until)
  }

  /** Of the air outside, where it is at `at`. */
  climate(at: number): Air {
    const { route } = this.body
    if (!route) return this.body.climate
    this.locate(at)
    return route.climate[this.point] as Air
  }

  /** Finds where on its route the vehicle is; answers its speed there, km/h. */
  locate(at: number): number {
    const route = this.body.route as Route
    const plan = this.plan as Plan
    const i = this.at
    const from = plan.place[i] as number
    if (plan.kind[i] !== PHASE.driving) {
      this.find(route, from)
      return 0
    }
    const to = plan.place[i + 1] as number
    const start = plan.start[i] as number
    const length = (plan.start[i + 1] as number) - start
    const part = (at - start) / length
    const [progress, rate] = traffic(this.body.key, start, length, part)
    this.find(route, from + (to - from) * progress)
    const hours = route.hours
    const stretch = (hours[this.point + 1] as number) - (hours[this.point] as number)
    const speed = ((route.km[this.point + 1] as number) - (route.km[this.point] as number)) / stretch
    return (speed * Math.abs(to - from) * rate) / (length / HOUR)
  }

  private find(route: Route, hours: number): void {
    const all = route.hours
    const last = all.length - 2
    let i = Math.min(this.point, last)
    while (i < last && hours >= (all[i + 1] as number)) i++
    while (i > 0 && hours < (all[i] as number)) i--
    this.point = i
    const stretch = (all[i + 1] as number) - (all[i] as number)
    this.share = stretch > 0 ? Math.max(0, Math.min(1, (hours - (all[i] as number)) / stretch)) : 0
  }
}

const progressAndRate: [number, number] = [0, 1]

/** Traffic: slower and faster stretches that cancel out over a drive. Answers share of the way and speed relative to the mean. */
function traffic(key: number, start: number, length: number, part: number): [number, number] {
  const h = hash32(key, PURPOSE.leg, start)
  const slow = 1 + Math.floor(length / (26 * 60_000))
  const quick = 2 + Math.floor(length / (5 * 60_000))
  const p1 = ((h & 0xffff) / 0x1_0000) * 2 * Math.PI
  const p2 = ((h >>> 16) / 0x1_0000) * 2 * Math.PI
  const w1 = 2 * Math.PI * slow
  const w2 = 2 * Math.PI * quick
  progressAndRate[0] =
    part +
    (0.13 * (Math.sin(w1 * part + p1) - Math.sin(p1))) / w1 +
    (0.09 * (Math.sin(w2 * part + p2) - Math.sin(p2))) / w2
  progressAndRate[1] = 1 + 0.13 * Math.cos(w1 * part + p1) + 0.09 * Math.cos(w2 * part + p2)
  return progressAndRate
}
