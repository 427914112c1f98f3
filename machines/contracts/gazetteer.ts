import { array, define, type Infer, object } from 'superstruct'

/** Name, latitude and longitude in degrees, and how far it reaches from its middle, km. */
export type GazetteerPlace = [name: string, lat: number, lng: number, radiusKm: number]

/** One check a place: with structs inside, 20,000 of them would take a third of a second. */
export const GazetteerPlace = define<GazetteerPlace>('place [name, lat, lng, km]', (value) => {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [name, lat, lng, radiusKm] = value as unknown[]
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    [lat, lng, radiusKm].every((number) => typeof number === 'number') &&
    Math.abs(lat as number) <= 90 &&
    Math.abs(lng as number) <= 180 &&
    (radiusKm as number) > 0 &&
    (radiusKm as number) < 100
  )
})

/** The places that positions are told by: towns of the world, and what lies along the roads of the demo world. */
export const GazetteerFile = object({ places: array(GazetteerPlace) })
export type GazetteerFile = Infer<typeof GazetteerFile>
