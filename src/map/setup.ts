import 'maplibre-gl/dist/maplibre-gl.css'
import './map.css'
import { addProtocol, prewarm, setWorkerUrl } from 'maplibre-gl'
import { PMTiles, Protocol } from 'pmtiles'
import { preloadFonts } from './fonts.ts'
import workerUrl from './map-worker.ts?worker&url'
import type { TilesSchema } from './style.ts'

let prepared: Protocol | undefined

/**
 * Makes MapLibre ready: its worker as a file of our own origin (a strict policy allows no blob), and PMTiles archives as
 * tile sources. Call it before the first map is made; further calls do nothing.
 */
export function prepareMapLibre(): void {
  prepare()
}

function prepare(): Protocol {
  if (prepared) return prepared
  setWorkerUrl(workerUrl)
  // they start while the page is still built
  prewarm()
  preloadFonts()
  prepared = new Protocol()
  addProtocol('pmtiles', prepared.tile)
  return prepared
}

/**
 * Looks into a PMTiles archive to see which schema its layers follow.
 *
 * @param tilesUrl address of the archive; its server must answer Range requests
 * @throws when the archive cannot be read, or follows neither schema
 */
export async function readTilesSchema(tilesUrl: string): Promise<TilesSchema> {
  const protocol = prepare()
  // The map asks for the same archive right after; given the instance, it need not fetch the directory again.
  const archive = protocol.get(tilesUrl) ?? new PMTiles(tilesUrl)
  protocol.add(archive)
  const metadata = (await archive.getMetadata()) as { vector_layers?: { id: string }[] }
  const layers = new Set(metadata.vector_layers?.map((layer) => layer.id))
  if (layers.has('earth') && layers.has('places')) return 'protomaps'
  if (layers.has('land') && layers.has('names')) return 'frostline'
  throw new Error(`The map archive ${tilesUrl} follows neither our schema nor that of Protomaps.`)
}
