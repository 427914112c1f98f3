import type { Drafts } from '../../effects/drafts.ts'

/** Keeps nothing, and has nothing. */
export const noDrafts: Drafts = {
  hold: () => () => {},
  holdSecret: () => () => {},
  keep: () => true,
  kept: () => undefined,
  forget: () => {},
}
