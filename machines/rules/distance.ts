/** Mean radius of the earth (IUGG), km. */
export const EARTH_KM = 6371.0088

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * Way along the great circle between two places in degrees, km. Haversine (Sinnott, "Virtues of the Haversine", 1984):
 * 2 R asin √(sin² Δφ/2 + cos φ1 cos φ2 sin² Δλ/2), exact enough down to centimetres, on the other side of
 * the earth to half a metre: an arc sine near 1 tells little.
 */
export function distanceKm(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const halfPhi = radians(lat2 - lat1) / 2
  const halfLambda = radians(lng2 - lng1) / 2
  const h =
    Math.sin(halfPhi) ** 2 + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(halfLambda) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}
