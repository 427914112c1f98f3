import { createDrafts, type Drafts } from '../../effects/drafts.ts'

/** Keeps nothing, and has nothing. */
export const noDrafts: Drafts = {
  hold: () => () => {},
  holdSecret: () => () => {},
  keep: () => true,
  kept: () => undefined,
  forget: () => {},
}

/** Keeps what the portal keeps, of one page; nothing is there at first. */
export function keptDrafts(): Drafts {
  const drafts = createDrafts(
    sessionStorage,
    () => 'a page',
    () => 0,
  )
  drafts.forget()
  return drafts
}
