import 'maplibre-gl/dist/maplibre-gl-worker.mjs'
import type { AddProtocolAction } from 'maplibre-gl'
import { Protocol } from 'pmtiles'

/** What MapLibre's worker leaves in its scope for code that joins it. */
declare const self: { addProtocol(name: string, load: AddProtocolAction): void }

// The worker reads tiles itself: asked for by the page, they would wait for each of its frames.
self.addProtocol('pmtiles', new Protocol().tile)
