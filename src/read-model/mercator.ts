/** The Mercator map ends here, in the north and in the south, °: what lies beyond is drawn at its edge. */
const END = 85.0511287

/** Where a longitude, °, lies on the unit square, 0 at 180° W. */
export const unitX = (lng: number): number => lng / 360 + 0.5
/** Where a latitude, °, lies on the unit square, 0 in the north (spherical Mercator, EPSG:3857). */
export const unitY = (lat: number): number =>
  0.5 - Math.asinh(Math.tan((Math.max(-END, Math.min(END, lat)) * Math.PI) / 180)) / (2 * Math.PI)
/** °, of a place on the unit square; see `unitX`. */
export const lngOf = (x: number): number => (x - 0.5) * 360
/** °, of a place on the unit square; see `unitY`. */
export const latOf = (y: number): number => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI
