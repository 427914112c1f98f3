import { array, boolean, type Infer, pattern, size, string, type } from 'superstruct'
import { Id, IsoInstant, saying } from '../scalars.ts'

/** What a view may be called: a line of at most 60 characters that is not blank. */
export const ViewName = saying(pattern(size(string(), 1, 60), /^[^\p{Cc}]*[^\s\p{Cc}][^\p{Cc}]*$/u), {
  maxLength: 60,
  pattern: '\\S',
})
/** A page of the portal with what it shows, from its slash on: nothing that leads elsewhere. */
export const ViewPath = saying(pattern(size(string(), 1, 2000), /^\/(?!\/)[!-[\]-~]*$/), {
  maxLength: 2000,
  pattern: '^/(?!/)[!-\\[\\]-~]*$',
})

/** A page as somebody left it, by name. */
export const SavedView = type({
  _id: Id,
  name: string(),
  path: string(),
  /** everybody of the group has it; else it is one's own */
  isGroups: boolean(),
  /** empty where they are gone */
  savedBy: string(),
  savedAt: IsoInstant,
  mayRemove: boolean(),
})
export type SavedView = Infer<typeof SavedView>

/** One's own views and those of one's group, each by name. `savesForGroup`: one may save them for the group, too. */
export const SavedViews = type({ views: array(SavedView), savesForGroup: boolean() })
