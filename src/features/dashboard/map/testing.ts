import type { Fleet } from '../../../read-model/fleet.ts'
import { createMapController, type MapController, type MapControllerDeps } from './map-controller.ts'

/** A map controller of a fleet that nothing glides on and nobody listens to, but for what is given. */
export const controllerOf = (fleet: Fleet, given: Partial<MapControllerDeps> = {}): MapController =>
  createMapController({
    fleet,
    opensAt: undefined,
    realMs: (span) => span,
    send: () => {},
    openHistory: () => {},
    onOnePlace: () => {},
    onSelectedAt: () => {},
    prefersLessMotion: () => true,
    hasCard: () => false,
    isLinkLost: () => false,
    ...given,
  })
