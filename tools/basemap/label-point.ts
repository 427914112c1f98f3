import type { MultiPolygon, Polygon, Position } from 'geojson'

/**
 * Where to write the name of an area: inside its largest part, away from its edges. `whole` and `largest` are the areas
 * of all parts and of that one, in square degrees at the equator (about 12,300 km² each).
 */
export function placeName(geometry: Polygon | MultiPolygon): {
  point: Position
  whole: number
  largest: number
} {
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const outers = parts.map((part) => acrossDateLine(part[0]!))
  const areas = outers.map(area)
  const largest = Math.max(...areas)
  const [lon, lat] = labelPoint(outers[areas.indexOf(largest)]!) as [number, number]
  return { point: [lon > 180 ? lon - 360 : lon, lat], whole: areas.reduce((a, b) => a + b), largest }
}

/** Russia and Fiji jump from 180° to -180° within one ring; here they run on past 180°. */
function acrossDateLine(ring: Position[]): Position[] {
  const lons = ring.map((position) => position[0]!)
  const polar = ring.some((position) => position[1]! < -85)
  if (polar || Math.max(...lons) - Math.min(...lons) < 300) return ring
  return ring.map(([lon, lat]) => [lon! < 0 ? lon! + 360 : lon!, lat!])
}

function area(ring: Position[]): number {
  let sum = 0
  let middle = 0
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1] as [number, number]
    const [x1, y1] = ring[i] as [number, number]
    sum += x0 * y1 - x1 * y0
    middle += y0
  }
  return Math.abs(sum / 2) * Math.cos((middle / Math.max(1, ring.length - 1)) * (Math.PI / 180))
}

/** The point of a ring that lies farthest from its edges, on a grid of 24 × 24: where a name sits well. */
function labelPoint(outer: Position[]): Position {
  const west = Math.min(...outer.map((p) => p[0]!))
  const east = Math.max(...outer.map((p) => p[0]!))
  const south = Math.min(...outer.map((p) => p[1]!))
  const north = Math.max(...outer.map((p) => p[1]!))
  const step = Math.max(1, Math.floor(outer.length / 400)) // A few hundred edges place a name as well as thousands do.
  const edges = outer.filter((_, i) => i % step === 0)
  let best: Position = outer[0]!
  let bestScore = -Infinity
  for (let i = 1; i < 24; i++) {
    for (let j = 1; j < 24; j++) {
      const point: Position = [west + ((east - west) * i) / 24, south + ((north - south) * j) / 24]
      if (!contains(outer, point)) continue
      // Names are wide and low, so room to the sides counts less than room above and below.
      const shrink = Math.cos((point[1]! * Math.PI) / 180)
      let nearest = Infinity
      for (const [x, y] of edges as [number, number][]) {
        nearest = Math.min(nearest, ((x - point[0]!) * shrink * 0.6) ** 2 + (y - point[1]!) ** 2)
      }
      if (nearest > bestScore) [best, bestScore] = [point, nearest]
    }
  }
  return best
}

function contains(ring: Position[], [x, y]: Position): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number]
    const [xj, yj] = ring[j] as [number, number]
    if (yi > y! !== yj > y! && x! < ((xj - xi) * (y! - yi)) / (yj - yi) + xi) inside = !inside
  }
  return inside
}
