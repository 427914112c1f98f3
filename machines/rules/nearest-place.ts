import { EARTH_KM } from './distance.ts'

/** Places as columns of one length: degrees, and how far from its middle a place reaches, km. */
export type PlaceColumns = {
  names: readonly string[]
  lat: ArrayLike<number>
  lng: ArrayLike<number>
  radiusKm: ArrayLike<number>
}

/** `index` of a place and how far its middle is, km along the great circle. */
export type NearestPlace = { index: number; km: number }

/** A question no place answers. */
export const NOWHERE = ''

const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/**
 * Answers which place is nearest, from its edge: 12 km from the middle of a city of 8 km is nearer than 9 km from a
 * village, as people would say. Places are points on the unit sphere, kept in a k-d tree: there a straight line is
 * never longer than the great circle, so neither poles nor the 180th meridian are anything special. A question takes
 * some microseconds among 20,000 places.
 */
export function createPlaceFinder(places: PlaceColumns) {
  const n = places.names.length
  const axes = [new Float64Array(n), new Float64Array(n), new Float64Array(n)] as const
  const [xs, ys, zs] = axes
  for (let i = 0; i < n; i++) {
    const [x, y, z] = onSphere(places.lat[i] as number, places.lng[i] as number)
    xs[i] = x
    ys[i] = y
    zs[i] = z
  }
  const { order, reach } = layOut(axes, places.radiusKm)

  /** the place whose edge is nearest, of several the first; undefined where there are none */
  function nearest(lat: number, lng: number): NearestPlace | undefined {
    const from = onSphere(lat, lng)
    const [x, y, z] = from
    let index = -1
    let nearestKm = 0
    let least = Number.POSITIVE_INFINITY
    const search = (low: number, high: number, axis: number, aside: number): void => {
      if (low >= high) return
      const middle = (low + high) >> 1
      if (aside * EARTH_KM - (reach[middle] as number) > least) return
      const i = order[middle] as number
      const km = greatCircle(straight((xs[i] as number) - x, (ys[i] as number) - y, (zs[i] as number) - z))
      const edge = km - (places.radiusKm[i] as number)
      if (edge < least || (edge === least && i < index)) {
        least = edge
        index = i
        nearestKm = km
      }
      const off = (from[axis] as number) - ((axes[axis] as Float64Array)[i] as number)
      const next = (axis + 1) % 3
      const across = Math.max(aside, Math.abs(off))
      search(off < 0 ? low : middle + 1, off < 0 ? middle : high, next, aside)
      search(off < 0 ? middle + 1 : low, off < 0 ? high : middle, next, across)
    }
    search(0, n, 0, 0)
    return index < 0 ? undefined : { index, km: nearestKm }
  }

  return {
    nearest,
    /** "Multan", the nearest there is, however far; `NOWHERE` without a position */
    town(lat: number, lng: number): string {
      const found = isPosition(lat, lng) ? nearest(lat, lng) : undefined
      return found === undefined ? NOWHERE : (places.names[found.index] as string)
    },
    /** "Multan" where it is within it, else "12 km NE of Multan"; `NOWHERE` without a position */
    words(lat: number, lng: number): string {
      if (!isPosition(lat, lng)) return NOWHERE
      const found = nearest(lat, lng)
      if (found === undefined) return NOWHERE
      const { index, km } = found
      const name = places.names[index] as string
      if (km <= (places.radiusKm[index] as number)) return name
      const point = compassPoint(places.lat[index] as number, places.lng[index] as number, lat, lng)
      return `${Math.max(1, Math.round(km))} km ${point} of ${name}`
    },
  }
}

export type PlaceFinder = ReturnType<typeof createPlaceFinder>

/**
 * The compass point one starts towards on the great circle from the first place to the second. Initial bearing:
 * atan2(sin Δλ cos φ2, cos φ1 sin φ2 − sin φ1 cos φ2 cos Δλ), in eight parts of 45°.
 */
export function compassPoint(fromLat: number, fromLng: number, toLat: number, toLng: number): string {
  const [a, b] = [radians(fromLat), radians(toLat)]
  const turn = radians(toLng - fromLng)
  const bearing = Math.atan2(
    Math.sin(turn) * Math.cos(b),
    Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(turn),
  )
  return POINTS[(Math.round(bearing / (Math.PI / 4)) + 8) % 8] as string
}

/**
 * `order`: places in the order of the tree, of each span the middle one divides, on x, y and z in turn; `reach`: the
 * largest radius in the span whose middle it is, km.
 */
function layOut(axes: readonly Float64Array[], radiusKm: ArrayLike<number>) {
  const n = radiusKm.length
  const order = Uint32Array.from({ length: n }, (_, i) => i)
  const reach = new Float64Array(n)
  const divide = (low: number, high: number, axis: number): number => {
    if (low >= high) return 0
    const along = axes[axis] as Float64Array
    const middle = (low + high) >> 1
    putInPlace(order, low, high - 1, middle, along)
    const own = radiusKm[order[middle] as number] as number
    const next = (axis + 1) % 3
    reach[middle] = Math.max(own, divide(low, middle, next), divide(middle + 1, high, next))
    return reach[middle] as number
  }
  divide(0, n, 0)
  return { order, reach }
}

/** Puts at `k` what sorting would, the smaller before it and the larger behind (Hoare's "find"): all a tree needs. */
function putInPlace(order: Uint32Array, first: number, last: number, k: number, along: Float64Array): void {
  const at = (i: number) => along[order[i] as number] as number
  let [low, high] = [first, last]
  while (low < high) {
    const pivot = at(k)
    let [i, j] = [low, high]
    while (i <= j) {
      while (at(i) < pivot) i++
      while (pivot < at(j)) j--
      if (i > j) break
      const swapped = order[i] as number
      order[i++] = order[j] as number
      order[j--] = swapped
    }
    if (j < k) low = i
    if (k < i) high = j
  }
}

const straight = (dx: number, dy: number, dz: number): number => Math.sqrt(dx * dx + dy * dy + dz * dz)

/** Length of the great circle under a straight line through the unit sphere, km. */
const greatCircle = (chord: number): number => 2 * EARTH_KM * Math.asin(Math.min(1, chord / 2))

function onSphere(lat: number, lng: number): [number, number, number] {
  const [phi, lambda] = [radians(lat), radians(lng)]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

const isPosition = (lat: number, lng: number): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 180

const radians = (degrees: number): number => (degrees * Math.PI) / 180
