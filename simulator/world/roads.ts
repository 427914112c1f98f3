/** The roads of a scenario as a network, and the ways through it as lines to drive along. */
import type { Climate, Corridor, Place, Scenario } from '#machines/contracts/scenario.ts'

/**
 * A way from place to place. Points in degrees; `km` and `hours`: distance and a loaded truck's driving time from its start, at each
 * point; `climate`: of each point; `slow`: 1 where the stretch after the point is town traffic; `halts`: hours at which it passes a town.
 */
export type Route = {
  from: string
  to: string
  lat: Float64Array
  lng: Float64Array
  km: Float64Array
  hours: Float64Array
  climate: Climate[]
  slow: Uint8Array
  halts: number[]
}

type Stretch = { to: string; corridor: Corridor; first: number; last: number; hours: number }

const TOWN_SPEED = 38
const CITY_SPEED = 32

/** Great-circle distance, km (haversine, mean radius 6,371 km). */
export function distanceKm(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const rad = Math.PI / 180
  const s1 = Math.sin(((lat2 - lat1) * rad) / 2)
  const s2 = Math.sin(((lng2 - lng1) * rad) / 2)
  return 12_742 * Math.asin(Math.sqrt(s1 * s1 + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * s2 * s2))
}

/** The quickest ways through a scenario's roads, each worked out once. */
export class RoadNetwork {
  private readonly places: Map<string, Place>
  private readonly stretches = new Map<string, Stretch[]>()
  private readonly slowness = new Map<Corridor, Uint8Array>()
  private readonly routes = new Map<string, Route>()

  constructor(scenario: Scenario) {
    this.places = new Map(scenario.places.map((place) => [place.id, place]))
    const towns = scenario.places.filter((place) => place.kind !== 'junction')
    for (const corridor of scenario.corridors) {
      this.slowness.set(corridor, slowStretches(corridor, towns))
      for (let i = 1; i < corridor.places.length; i++) {
        const [from, first] = corridor.places[i - 1] as [string, number]
        const [to, last] = corridor.places[i] as [string, number]
        const hours = this.hoursOf(corridor, first, last)
        this.add(from, { to, corridor, first, last, hours })
        this.add(to, { to: from, corridor, first: last, last: first, hours })
      }
    }
  }

  /** @throws RangeError where no road leads */
  route(from: string, to: string): Route {
    const name = `${from}>${to}`
    const known = this.routes.get(name)
    if (known) return known
    const route = this.draw(from, to, this.quickest(from, to))
    this.routes.set(name, route)
    return route
  }

  place(id: string): Place {
    return this.places.get(id) as Place
  }

  private add(from: string, stretch: Stretch): void {
    const list = this.stretches.get(from)
    if (list) list.push(stretch)
    else this.stretches.set(from, [stretch])
  }

  /** Dijkstra over a few hundred places. */
  private quickest(from: string, to: string): Stretch[] {
    const best = new Map<string, { hours: number; by?: Stretch; before?: string }>([[from, { hours: 0 }]])
    const open = new Set([from])
    while (open.size > 0) {
      let here = ''
      for (const id of open)
        if (here === '' || (best.get(id)?.hours ?? 0) < (best.get(here)?.hours ?? 0)) here = id
      if (here === to) break
      open.delete(here)
      const sofar = best.get(here)?.hours ?? 0
      for (const stretch of this.stretches.get(here) ?? []) {
        const hours = sofar + stretch.hours
        if (hours >= (best.get(stretch.to)?.hours ?? Number.POSITIVE_INFINITY)) continue
        best.set(stretch.to, { hours, by: stretch, before: here })
        open.add(stretch.to)
      }
    }
    const way: Stretch[] = []
    for (let at = to; at !== from; ) {
      const step = best.get(at)
      if (step?.by === undefined || step.before === undefined)
        throw new RangeError(`no road from ${from} to ${to}`)
      way.unshift(step.by)
      at = step.before
    }
    return way
  }

  private draw(from: string, to: string, way: Stretch[]): Route {
    const points: [number, number][] = []
    const km = [0]
    const hours = [0]
    const slow: number[] = []
    const climates: Climate[] = []
    const halts: number[] = []
    let here = this.place(from)
    for (const stretch of way) {
      const { corridor, first, last } = stretch
      const there = this.place(stretch.to)
      const step = last > first ? 1 : -1
      if (points.length === 0) points.push(corridor.points[first] as [number, number])
      const span = Math.abs(last - first)
      for (let i = first; i !== last; i += step) {
        const [lat1, lng1] = corridor.points[i] as [number, number]
        const [lat2, lng2] = corridor.points[i + step] as [number, number]
        const d = distanceKm(lat1, lng1, lat2, lng2)
        const isSlow = this.slowness.get(corridor)?.[Math.min(i, i + step)] ?? 0
        points.push([lat2, lng2])
        slow.push(isSlow)
        climates.push(between(here.climate, there.climate, Math.abs(i - first) / span))
        km.push((km.at(-1) as number) + d)
        hours.push((hours.at(-1) as number) + d / speedOn(corridor, isSlow))
      }
      if (there.kind !== 'junction') halts.push(hours.at(-1) as number)
      here = there
    }
    slow.push(0)
    climates.push(here.climate)
    return {
      from,
      to,
      lat: Float64Array.from(points, (p) => p[0]),
      lng: Float64Array.from(points, (p) => p[1]),
      km: Float64Array.from(km),
      hours: Float64Array.from(hours),
      climate: climates,
      slow: Uint8Array.from(slow),
      halts: halts.slice(0, -1),
    }
  }

  private hoursOf(corridor: Corridor, first: number, last: number): number {
    let hours = 0
    for (let i = first; i < last; i++) {
      const [lat1, lng1] = corridor.points[i] as [number, number]
      const [lat2, lng2] = corridor.points[i + 1] as [number, number]
      hours += distanceKm(lat1, lng1, lat2, lng2) / speedOn(corridor, this.slowness.get(corridor)?.[i] ?? 0)
    }
    return hours
  }
}

/** 0 free, 1 through a town, 2 through a city; for the stretch after each point. */
function slowStretches(corridor: Corridor, towns: Place[]): Uint8Array {
  const slow = new Uint8Array(corridor.points.length)
  if (corridor.kind === 'motorway' || corridor.kind === 'urban') return slow
  for (let i = 0; i + 1 < corridor.points.length; i++) {
    const [lat1, lng1] = corridor.points[i] as [number, number]
    const [lat2, lng2] = corridor.points[i + 1] as [number, number]
    for (const town of towns) {
      if (Math.abs(town.lat - lat1) > 0.2 || Math.abs(town.lng - lng1) > 0.2) continue
      if (distanceKm(town.lat, town.lng, (lat1 + lat2) / 2, (lng1 + lng2) / 2) < town.radiusKm)
        slow[i] = Math.max(slow[i] as number, town.kind === 'city' ? 2 : 1)
    }
  }
  return slow
}

function speedOn(corridor: Corridor, slow: number): number {
  if (slow === 0) return corridor.speed
  return Math.min(corridor.speed, slow === 2 ? CITY_SPEED : TOWN_SPEED)
}

function between(a: Climate, b: Climate, share: number): Climate {
  const mix = (x: number, y: number) => x + (y - x) * share
  return {
    mean: mix(a.mean, b.mean),
    seasonal: mix(a.seasonal, b.seasonal),
    daily: mix(a.daily, b.daily),
    humidity: mix(a.humidity, b.humidity),
  }
}
