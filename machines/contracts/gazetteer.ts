import { define, type Infer, object } from 'superstruct'

/** Name, latitude and longitude in degrees, and how far it reaches from its middle, km. */
export type GazetteerPlace = [name: string, lat: number, lng: number, radiusKm: number]

/** One check for all: with a struct each, 20,000 places would keep a start waiting for a third of a second. */
const Places = define<GazetteerPlace[]>('places [name, lat, lng, km]', (value) => {
  if (!Array.isArray(value)) return false
  const wrong = value.findIndex((place) => !isPlace(place))
  return wrong < 0 ? true : `place ${wrong} is none: ${JSON.stringify(value[wrong])?.slice(0, 60)}`
})

function isPlace(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false
  const [name, lat, lng, radiusKm] = value as unknown[]
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    isWithin(lat, -90, 90) &&
    isWithin(lng, -180, 180) &&
    isWithin(radiusKm, 0.01, 100)
  )
}

const isWithin = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high

/** The places that positions are described by: towns of the world, and what lies along the roads of the demo world. */
export const GazetteerFile = object({ places: Places })
export type GazetteerFile = Infer<typeof GazetteerFile>
