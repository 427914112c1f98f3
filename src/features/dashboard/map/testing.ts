import type { Fleet } from '../../../read-model/fleet.ts'
import { createStage, type Stage, type StageDeps } from './stage.ts'

/** A stage of a fleet that nothing glides on and nobody listens to, but for what is given. */
export const stageOf = (fleet: Fleet, given: Partial<StageDeps> = {}): Stage =>
  createStage({
    fleet,
    opensAt: undefined,
    realMs: (span) => span,
    tell: () => {},
    openHistory: () => {},
    onOnePlace: () => {},
    onSelectedAt: () => {},
    prefersLessMotion: () => true,
    hasCard: () => false,
    isLinkLost: () => false,
    ...given,
  })
