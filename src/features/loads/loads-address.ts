import type { LoadState } from '#machines/contracts/entities/loads.ts'
import { OPEN_STATES } from '../../format/load-words.ts'
import { oneOf, pageAddress, typed } from '../../format/page-address.ts'

/** Which loads are listed: those there is something to do with first. */
export const VIEWS = ['open', 'at-risk', 'exhausted', 'in-review', 'decided', 'closed'] as const
export type LoadsView = (typeof VIEWS)[number]

export const VIEW_STATES: Record<LoadsView, readonly LoadState[]> = {
  open: OPEN_STATES,
  'at-risk': ['at-risk'],
  exhausted: ['exhausted'],
  'in-review': ['in-review'],
  decided: ['released', 'rejected'],
  closed: ['closed'],
}

export const VIEW_WORDS: Record<LoadsView, string> = {
  open: 'Open',
  'at-risk': 'At risk',
  exhausted: 'Exhausted',
  'in-review': 'In review',
  decided: 'Decided',
  closed: 'Closed',
}

export const SORTS = ['used', 'exhausts', 'opened', 'reference'] as const
export type LoadsSort = (typeof SORTS)[number]
export const SORT_WORDS: Record<LoadsSort, string> = {
  used: 'Most used first',
  exhausts: 'Exhausted soonest first',
  opened: 'Newest first',
  reference: 'By reference',
}

/** `/loads?state=exhausted&q=lot&sort=opened`; the list as it opens has no query. */
export const loadsAddress = pageAddress<{ view: LoadsView; words: string; sort: LoadsSort }>({
  view: oneOf('state', VIEWS, 'open'),
  words: typed('q', 100),
  sort: oneOf('sort', SORTS, 'used'),
})
