/** The roads of a scenario as a network, and the ways through it as lines to drive along. */
import type { Corridor, Place, Scenario } from '#machines/contracts/scenario.ts'
import { climatesAlong, distanceKm, nearestPoint, slowStretches, speedOn } from './corridor.ts'
import { type Air, spellsFelt } from './weather.ts'

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
  climate: Air[]
  slow: Uint8Array
  halts: number[]
}

/** Part of a corridor, from its point `first` to `last`, either way. */
type Stretch = { to: string; corridor: Corridor; first: number; last: number; hours: number }

const YARD_SPEED = 22

type Tree = Map<string, { hours: number; by?: Stretch; before?: string }>

/** The quickest ways through a scenario's roads, each worked out once. */
export class RoadNetwork {
  private readonly places: Map<string, Place & { climate: Air }>
  private readonly stretches = new Map<string, Stretch[]>()
  private readonly slowness = new Map<Corridor, Uint8Array>()
  private readonly climates = new Map<Corridor, Air[]>()
  private readonly trees = new Map<string, Tree>()
  private readonly routes = new Map<string, Route>()

  constructor(scenario: Scenario) {
    this.places = new Map(withSpells(scenario).map((place) => [place.id, place]))
    const towns = scenario.places.filter((place) => place.kind !== 'junction')
    for (const corridor of scenario.corridors) {
      this.slowness.set(corridor, slowStretches(corridor, towns))
      this.climates.set(
        corridor,
        climatesAlong(corridor, (id) => this.place(id).climate),
      )
      for (let i = 1; i < corridor.places.length; i++) {
        const [from, first] = corridor.places[i - 1] as [string, number]
        const [to, last] = corridor.places[i] as [string, number]
        this.connect(from, to, corridor, first, last)
      }
    }
    for (const place of [...this.places.values()])
      place.sites?.forEach((site, i) => {
        this.connectYard(yardOf(place, i), site, place, scenario.corridors)
      })
  }

  /** @param from @param to places, or yards (`yardOf`). @throws RangeError where no road leads */
  route(from: string, to: string): Route {
    const name = `${from}>${to}`
    const known = this.routes.get(name)
    if (known) return known
    const route = this.draw(from, to, this.quickest(from, to))
    this.routes.set(name, route)
    return route
  }

  /** whether there is a way, between places or yards */
  leads(from: string, to: string): boolean {
    return this.tree(from).has(to)
  }

  place(id: string): Place & { climate: Air } {
    return this.places.get(id) as Place & { climate: Air }
  }

  private connect(from: string, to: string, corridor: Corridor, first: number, last: number): void {
    const hours = this.hoursOf(corridor, Math.min(first, last), Math.max(first, last))
    this.add(from, { to, corridor, first, last, hours })
    this.add(to, { to: from, corridor, first: last, last: first, hours })
  }

  private add(from: string, stretch: Stretch): void {
    const list = this.stretches.get(from)
    if (list) list.push(stretch)
    else this.stretches.set(from, [stretch])
  }

  /** A yard's gate opens on a way of its own to the nearest road, and there one can turn either way. */
  private connectYard(
    id: string,
    [lat, lng]: [number, number],
    place: Place & { climate: Air },
    corridors: Corridor[],
  ): void {
    const { corridor, point } = nearestPoint(corridors, lat, lng)
    const [roadLat, roadLng] = corridor.points[point] as [number, number]
    const gate = `${corridor.id}#${point}`
    const bend: [number, number] = [lat + (roadLat - lat) * 0.75, lng + (roadLng - lng) * 0.35]
    const way: Corridor = {
      id,
      name: place.name,
      kind: 'urban',
      speed: YARD_SPEED,
      points: [[lat, lng], bend, [roadLat, roadLng]],
      places: [],
    }
    this.slowness.set(way, new Uint8Array(3))
    this.climates.set(way, [place.climate, place.climate, place.climate])
    for (const [name, at] of [
      [id, [lat, lng]],
      [gate, [roadLat, roadLng]],
    ] as [string, [number, number]][])
      this.places.set(name, { ...place, id: name, kind: 'junction', lat: at[0], lng: at[1] })
    this.connect(id, gate, way, 0, 2)
    const before = corridor.places.findLast(([, i]) => i <= point)
    const after = corridor.places.find(([, i]) => i > point)
    if (before) this.connect(gate, before[0], corridor, point, before[1])
    if (after) this.connect(gate, after[0], corridor, point, after[1])
  }

  private quickest(from: string, to: string): Stretch[] {
    const tree = this.tree(from)
    const way: Stretch[] = []
    for (let at = to; at !== from; ) {
      const step = tree.get(at)
      if (step?.by === undefined || step.before === undefined)
        throw new RangeError(`no road from ${from} to ${to}`)
      way.unshift(step.by)
      at = step.before
    }
    return way
  }

  private tree(from: string): Tree {
    const known = this.trees.get(from)
    if (known) return known
    const tree = this.treeFrom(from)
    this.trees.set(from, tree)
    return tree
  }

  /** Dijkstra over a few hundred places. */
  private treeFrom(from: string): Tree {
    const tree: Tree = new Map([[from, { hours: 0 }]])
    const open = new Set([from])
    const hoursTo = (id: string) => tree.get(id)?.hours ?? Number.POSITIVE_INFINITY
    while (open.size > 0) {
      let here = ''
      for (const id of open) if (here === '' || hoursTo(id) < hoursTo(here)) here = id
      open.delete(here)
      for (const stretch of this.stretches.get(here) ?? []) {
        const hours = hoursTo(here) + stretch.hours
        if (hours >= hoursTo(stretch.to)) continue
        tree.set(stretch.to, { hours, by: stretch, before: here })
        open.add(stretch.to)
      }
    }
    return tree
  }

  private draw(from: string, to: string, way: Stretch[]): Route {
    const points: [number, number][] = []
    const km = [0]
    const hours = [0]
    const slow: number[] = []
    const climates: Air[] = []
    const halts: number[] = []
    for (const stretch of way) {
      const { corridor, first, last } = stretch
      const there = this.place(stretch.to)
      const step = last > first ? 1 : -1
      if (points.length === 0) points.push(corridor.points[first] as [number, number])
      for (let i = first; i !== last; i += step) {
        const [lat1, lng1] = corridor.points[i] as [number, number]
        const [lat2, lng2] = corridor.points[i + step] as [number, number]
        const d = distanceKm(lat1, lng1, lat2, lng2)
        const isSlow = this.slowness.get(corridor)?.[Math.min(i, i + step)] ?? 0
        points.push([lat2, lng2])
        slow.push(isSlow)
        climates.push(this.climates.get(corridor)?.[i] as Air)
        km.push((km.at(-1) as number) + d)
        hours.push((hours.at(-1) as number) + d / speedOn(corridor, isSlow))
      }
      if (there.kind !== 'junction') halts.push(hours.at(-1) as number)
    }
    slow.push(0)
    climates.push(this.place(to).climate)
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

/** Name of the i-th yard of a place (`sites`), as an end of a route. */
export const yardOf = (place: Place, i: number): string => `${place.id}/${i}`

/** The places of a scenario, each with how much it feels of the script's spells. */
function withSpells({ places, weather }: Scenario): (Place & { climate: Air })[] {
  if (weather.length === 0) return places
  const known = new Map(places.map((place) => [place.id, place]))
  return places.map((place) => {
    const away = (id: string) => {
      const there = known.get(id)
      return there ? distanceKm(place.lat, place.lng, there.lat, there.lng) : Number.POSITIVE_INFINITY
    }
    return { ...place, climate: { ...place.climate, spells: spellsFelt(weather, away) } }
  })
}
